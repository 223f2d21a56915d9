import type { Json } from '#app/contracts/json.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { cleanupOf, withoutCleanup } from '#app/domain/workflows/steps/cleanup-parts.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { type Outcome, type RunExecution, STOP } from '#app/engine/runs/run-execution.ts';
import { type BegunCleanup, runCleanup } from '#app/engine/runs/steps/errors/cleanup-step.ts';
import { runStep } from '#app/engine/runs/steps/step-runners.ts';

/**
 * Runs a document from its first step. What the journal knows is recalled, the rest is done; the same walk is made again
 * after a wait, a kill or a takeover, and comes to the same point.
 */
export async function runDocument(execution: RunExecution, document: WorkflowDocument): Promise<Outcome> {
  const outcome = await runSequence(execution, withoutCleanup(document.steps), '');
  if (outcome.kind !== 'done') return outcome;
  try {
    const output = document.output.trim() === '' ? outcome.output : await evaluate(stripMark(document.output), execution.scope);
    const cleanup = cleanupOf(document.steps);
    if (cleanup !== undefined) await runStep(execution, cleanup, cleanup.id, runSequence);
    return { kind: 'done', output };
  } catch (error) {
    execution.stop ??= { kind: 'failed', error: { ...explanationOf(error), step: '' } };
    return STOP;
  }
}

/** Runs the steps for a run that ends as failed or as cancelled, after the others have stopped. Their own failure ends them alone. */
export const runDocumentCleanup = (execution: RunExecution, { steps }: WorkflowDocument, begun: BegunCleanup): Promise<Outcome> =>
  runCleanup(execution, withoutCleanup(steps), begun, runSequence);

async function runSequence(execution: RunExecution, steps: readonly Step[], prefix: string): Promise<Outcome> {
  let last: Json = null;
  for (const step of steps) {
    if (execution.stop !== null) return STOP;
    const outcome = await runStep(execution, step, prefix === '' ? step.id : `${prefix}/${step.id}`, runSequence);
    if (outcome.kind !== 'done') return outcome;
    last = outcome.output;
  }
  return { kind: 'done', output: last };
}
