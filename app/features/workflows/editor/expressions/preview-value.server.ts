import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { subjectText } from '#app/domain/runs/subject/subject-text.ts';
import { makeFormats } from '#app/domain/web/formats.ts';
import { EXPRESSION_USES } from '#app/domain/workflows/mappings/completion.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { evaluateElsewhere, explanationOf, type Scope } from '#app/engine/runs/expressions/evaluate.ts';
import { makeSubject } from '#app/engine/runs/texts/make-subject.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { readSampleData } from '#app/engine/workflows/read-sample-scope.ts';
import { sampleOf } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

/** `none`: no run of the workflow has ended yet and there is no sample, or too many are asking at once. */
export type PreviewedValue = { state: 'value'; text: string } | { state: 'fault'; why: Explanation } | { state: 'none' };

const previewSchema = z.object({
  expression: z.string().min(1).max(20_000),
  path: z.string().max(1_000).default(''),
  use: z.enum(EXPRESSION_USES).default('marked'),
});
const SHOWN_CHARACTERS = 2_000;
const MOST_AT_ONCE = 8;
let underWay = 0;

/** The value of an expression at a step's place, with the data of the newest run that the member sees, or of a sample. Nothing is kept. */
export async function previewValue({
  request,
  params,
  context,
}: {
  request: Request;
  params: { workflow: string };
  context: Readonly<RouterContextProvider>;
}): Promise<Response> {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'authorWorkflow');
  const parsed = await parseForm(request, previewSchema);
  if (!parsed.ok) throw new AppError('invalid_input');
  const { expression, path, use } = parsed.value;
  const data = await read(async (db) => readSampleData(db, await loadDraft(db, params.workflow), path));
  if (data === null || underWay >= MOST_AT_ONCE) return answer({ state: 'none' });
  underWay += 1;
  try {
    if (use === 'template') return answer(await previewLine(context, expression, path === '' ? { ...data.scope, steps: {} } : data.scope));
    return answer({ state: 'value', text: sampleOf(await evaluateElsewhere(stripMark(expression), data.scope), SHOWN_CHARACTERS) });
  } catch (error) {
    return answer({ state: 'fault', why: explanationOf(error) });
  } finally {
    underWay -= 1;
  }
}

/** A line with expressions as its reader would get it. Where it belongs to no step it is made as the run starts. */
async function previewLine(context: Readonly<RouterContextProvider>, template: string, scope: Scope): Promise<PreviewedValue> {
  const made = await makeSubject(template, scope, evaluateElsewhere);
  if ('why' in made) return { state: 'fault', why: made.why };
  const formats = makeFormats({ language: getLanguage(context), timeZone: 'UTC', now: new Date(0).toISOString() });
  return { state: 'value', text: subjectText(made.parts, formats) };
}

const answer = (value: PreviewedValue): Response => Response.json(value, { headers: { 'Cache-Control': 'no-store' } });
