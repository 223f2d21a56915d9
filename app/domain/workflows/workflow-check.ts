/**
 * Finds the faults of a workflow document, place by place, before it may be published or run. Pure: the catalogue of what is connected and
 * the parser of expressions come from the caller.
 */
import type { Catalogue } from '#app/domain/workflows/catalogue.ts';
import { checkFields } from '#app/domain/workflows/fields/check-fields.ts';
import { WORKFLOW_MAX_DEPTH, WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { isExpression, namesAfter, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { checkTemplate } from '#app/domain/workflows/mappings/template-check.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import { duplicateIds } from '#app/domain/workflows/read-workflow-document.ts';
import { areSiblingsInBranches, cyclesOf, isInOtherLoop } from '#app/domain/workflows/step-references.ts';
import { checkStep, mappingsOf, STEP_RULES } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue, WorkflowIssueKey } from '#app/domain/workflows/workflow-issue.ts';

/** Returns the fault of an expression, or null when it parses. */
export type ParseExpression = (expression: string) => string | null;

/** An expression that is evaluated as the run starts: no step has an output yet. */
const BEFORE_ALL = { id: '', index: -1 };

/** Every issue of a document; empty: it may be published. */
export function checkWorkflow(document: WorkflowDocument, catalogue: Catalogue, parseExpression: ParseExpression): WorkflowIssue[] {
  const issues: WorkflowIssue[] = [];
  const report = (path: string, field: string, key: WorkflowIssueKey, values: WorkflowIssue['values'] = {}) =>
    issues.push({ path, field, key, values });

  const steps = [...walkSteps(document.steps)];
  if (steps.length === 0) report('', 'steps', 'noSteps');
  if (steps.length > WORKFLOW_MAX_STEPS) report('', 'steps', 'tooManySteps', { max: WORKFLOW_MAX_STEPS });
  checkFields(document.input, (key, values) => report('', 'input', key, values));

  issues.push(...duplicateIds(document));
  const orderOf = new Map<string, number>();
  const pathOf = new Map<string, string>();
  for (const [index, { step, path }] of steps.entries()) {
    if (orderOf.has(step.id)) continue;
    orderOf.set(step.id, index);
    pathOf.set(step.id, path);
  }
  const inputNames = new Set(document.input.map((field) => field.name));
  const references = new Map<string, Set<string>>();

  const loops = steps.filter(({ step }) => STEP_RULES[step.kind].repeats).map(({ path }) => path);

  /** `from`: the step of the expression; null: evaluated after all. `after`: evaluated after the steps that it holds. */
  const checkExpression = (path: string, field: string, expression: string, from: { id: string; index: number; after?: true } | null) => {
    const fault = parseExpression(expression);
    if (fault !== null) {
      report(path, field, 'badExpression', { detail: fault });
      return;
    }
    for (const name of namesAfter('input', expression)) if (!inputNames.has(name)) report(path, field, 'unknownInput', { name });
    for (const name of namesAfter('steps', expression)) {
      const order = orderOf.get(name);
      const target = pathOf.get(name) ?? '';
      const place = from?.after === true ? `${path}/` : path;
      if (order === undefined) report(path, field, 'unknownStep', { name });
      else if (isInOtherLoop(target, place, loops)) report(path, field, 'insideLoop', { name });
      else if (from !== null) {
        references.set(from.id, (references.get(from.id) ?? new Set()).add(name));
        const held = from.after === true && target.startsWith(place);
        if (!held && (order >= from.index || areSiblingsInBranches(path, target))) report(path, field, 'laterStep', { name });
      }
    }
  };

  for (const [index, { step, path, depth }] of steps.entries()) {
    // a path holds two parts for each level of nesting
    if (Math.ceil(depth / 2) > WORKFLOW_MAX_DEPTH) report(path, 'id', 'tooDeep', { max: WORKFLOW_MAX_DEPTH });
    const expression = (field: string, text: string) => checkExpression(path, field, text, { id: step.id, index });
    const expressionAfter = (field: string, text: string) => checkExpression(path, field, text, { id: step.id, index, after: true });
    for (const [name, value] of Object.entries(mappingsOf(step))) if (isExpression(value)) expression(`input.${name}`, stripMark(value));
    checkStep(step, {
      catalogue,
      report: (field, key, values) => report(path, field, key, values),
      expression,
      expressionAfter,
      isLast: path === document.steps.at(-1)?.id,
    });
  }
  for (const cycle of cyclesOf(references))
    report(pathOf.get(cycle[0] ?? '') ?? '', 'input', 'cycle', { steps: [...cycle, cycle[0] ?? ''].join(' → ') });
  checkTemplate(
    document.subject ?? '',
    (key, values) => report('', 'subject', key, values),
    (text) => checkExpression('', 'subject', text, BEFORE_ALL),
  );
  if (document.output.trim() !== '') checkExpression('', 'output', stripMark(document.output), null);
  return issues;
}
