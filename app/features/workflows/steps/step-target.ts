import type { Step } from '#app/domain/workflows/steps/step.ts';
import { pinnedOf } from '#app/features/workflows/steps/call/call-schema.ts';

/** The id or name of what a step calls or runs; null: nothing yet, or nothing ever. */
export function targetOf(step: Step): string | null {
  if ('capability' in step) return step.capability;
  return 'workflow' in step ? step.workflow : null;
}

/** A new step with the target (`<connection>/<capability>`) that it was chosen for; without one, as it is. */
export function withTarget(step: Step, target: string): Step {
  if (target === '') return step;
  if ('capability' in step) return { ...step, ...pinnedOf(target) };
  return 'workflow' in step ? { ...step, workflow: pinnedOf(target).capability } : step;
}
