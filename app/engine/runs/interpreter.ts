import type { Json } from '#app/contracts/json.ts';
import { stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { evaluate, explanationOf } from '#app/engine/runs/expressions/evaluate.ts';
import { type Outcome, type RunExecution, STOP } from '#app/engine/runs/run-execution.ts';
import { runStep } from '#app/engine/runs/steps/step-runners.ts';

/**
 * Runs a document from its first step. What the journal knows is recalled, the rest is done; the same walk is made again
 * after a wait, a kill or a takeover, and comes to the same point.
 */
export async function runDocument(execution: RunExecution, document: WorkflowDocument): Promise<Outcome> {
  const outcome = await runSequence(execution, document.steps, '');
  if (outcome.kind !== 'done' || document.output.trim() === '') return outcome;
  try {
    return { kind: 'done', output: await evaluate(stripMark(document.output), execution.scope) };
  } catch (error) {
    execution.stop ??= { kind: 'failed', error: { ...explanationOf(error), step: '' } };
    return STOP;
  }
}

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
