import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { SubjectPart } from '#app/contracts/runs.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { partsOf, type TemplatePart } from '#app/domain/documents/document-template.ts';
import { boundedSubject, SENTENCE_MAX_CHARACTERS } from '#app/domain/runs/subject/run-subject.ts';
import { isMoney } from '#app/domain/workflows/fields/money.ts';
import { SUBJECT_MAX_EXPRESSIONS } from '#app/domain/workflows/limits.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { ExpressionError, evaluate, type Scope } from '#app/engine/runs/expressions/evaluate.ts';

/** A start waits no longer for its subject. */
const MADE_WITHIN_MS = 1_000;
/** Values of a list that are named. */
const MOST_LISTED = 10;

export type MadeSubject = { parts: SubjectPart[] } | { why: Explanation };
type Start = { document: Pick<WorkflowDocument, 'subject'>; mode: string; input: { [name: string]: Json }; startedAt: Date };

/** The subject of a run as it starts, or null: a subject that cannot be made holds no run back. */
export async function startSubject(start: Start): Promise<SubjectPart[] | null> {
  const made = await explainSubject(start);
  return made !== null && 'parts' in made ? made.parts : null;
}

/** The same with the reason where there is none; null: the workflow names none. */
export async function explainSubject({ document, mode, input, startedAt }: Start): Promise<MadeSubject | null> {
  if (document.subject === undefined) return null;
  const scope = { input, steps: {}, run: { id: '', mode, startedAt: startedAt.toISOString() } };
  const late = Promise.withResolvers<MadeSubject>();
  const timer = setTimeout(() => late.resolve({ why: { key: 'subjectLate', values: {} } }), MADE_WITHIN_MS);
  try {
    return await Promise.race([makeSubject(document.subject, scope), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Fills in a line of text with expressions in double braces. Never throws. */
export async function makeSubject(template: string, scope: Scope, evaluator = evaluate): Promise<MadeSubject> {
  const parts = partsOf(template);
  if (parts === null) return { why: { key: 'documentOpenBraces', values: {} } };
  if (parts.filter((part) => 'expression' in part).length > SUBJECT_MAX_EXPRESSIONS)
    return { why: { key: 'documentTooManyExpressions', values: { limit: SUBJECT_MAX_EXPRESSIONS } } };
  try {
    const bounded = boundedSubject(await fillIn(parts, scope, evaluator));
    return bounded === null ? { why: { key: 'subjectEmpty', values: {} } } : { parts: bounded };
  } catch (error) {
    return { why: error instanceof ExpressionError ? error.explanation : { key: 'subjectLate', values: {} } };
  }
}

/**
 * The sentence of an approval, in parts; null: nothing is left of it. Nothing in it hides: it says what the approval releases. Throws an
 * ExpressionError.
 */
export async function makeSentence(template: string, scope: Scope): Promise<SubjectPart[] | null> {
  const parts = partsOf(template);
  if (parts === null) throw new ExpressionError({ key: 'documentOpenBraces', values: {} });
  const made = await fillIn(parts, scope, evaluate);
  return boundedSubject(
    made.map((part) => (typeof part === 'string' ? revealedText(part) : part)),
    SENTENCE_MAX_CHARACTERS,
  );
}

async function fillIn(parts: readonly TemplatePart[], scope: Scope, evaluator: typeof evaluate): Promise<SubjectPart[]> {
  const made: SubjectPart[] = [];
  for (const part of parts) made.push('text' in part ? part.text : partOf(await evaluator(part.expression, scope), part.expression));
  return made;
}

/** A missing value leaves its place empty: forms have fields that nobody must fill in. */
function partOf(value: Json, expression: string): SubjectPart {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return String(value);
  if (isMoney(value)) return { amount: value.amount, currency: value.currency };
  const listed = Array.isArray(value) ? value.slice(0, MOST_LISTED) : [];
  if (!Array.isArray(value) || listed.some((one) => typeof one === 'object'))
    throw new ExpressionError({ key: 'documentValueNotText', values: { expression: expression.slice(0, 200) } });
  return listed.join(', ') + (value.length > listed.length ? ', …' : '');
}
