import { STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import type { RunStatus, StepKind, StepStatus } from '#app/contracts/statuses.ts';
import { cleanupOf } from '#app/domain/workflows/steps/cleanup-parts.ts';

type AnyStep = { path: string; kind: StepKind; status: StepStatus };

/**
 * The step that ended a failed run, which can be tried again; `steps`: those outside loops, in the order of the journal. Calls inside a step are
 * made again with the step, of which they are part; what ran because of the failure is not tried again.
 */
export function failedStepOf<Step extends AnyStep>({ status, steps }: { status: RunStatus; steps: readonly Step[] }): Step | undefined {
  if (status !== 'failed') return undefined;
  const callers = steps.filter((step) => STEP_PRESENTATIONS[step.kind].holds === 'calls');
  const cleanup = cleanupOf<AnyStep>(steps);
  return steps.findLast(
    (step) =>
      step.status === 'error' &&
      STEP_PRESENTATIONS[step.kind].holds !== 'steps' &&
      !callers.some((caller) => step.path.startsWith(`${caller.path}/`)) &&
      !(cleanup !== undefined && step.path.startsWith(`${cleanup.path}/`)),
  );
}
