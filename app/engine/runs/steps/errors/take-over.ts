import type { Json } from '#app/contracts/json.ts';
import type { JournalStep } from '#app/domain/runs/run-state.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { type RunExecution, succeed } from '#app/engine/runs/run-execution.ts';

/** Gives later expressions the outputs of steps that no longer run, as `outputAt` knows them, and null for the others. */
export function takeOver(
  execution: RunExecution,
  steps: readonly Step[],
  prefix: string,
  outputAt: (id: string, path: string) => Json,
): void {
  for (const { step, path } of walkSteps(steps, prefix)) {
    const output = outputAt(step.id, path);
    if (output === null) execution.scope.steps[step.id] = null;
    else succeed(execution, step, output);
  }
}

/** The output of a step that has succeeded, or that a dry run has noted; else null. */
export const outputOf = (row: JournalStep | undefined): Json =>
  row?.status === 'success' || row?.status === 'skipped' ? row.output : null;
