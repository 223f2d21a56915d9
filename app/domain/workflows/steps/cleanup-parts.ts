import type { StepKind } from '#app/contracts/statuses.ts';

/** Labels of the steps that run when the run has failed, and of those when it was cancelled. */
export const ON_FAILURE = 'on_failure';
export const ON_CANCEL = 'on_cancel';

const isCleanup = <Any extends { kind: StepKind }>(step: Any): step is Any & { kind: 'cleanup' } => step.kind === 'cleanup';

/** The steps of a workflow, or of a run, without what runs only when the run ends badly. */
export function withoutCleanup<Any extends { kind: StepKind }>(steps: readonly Any[]): Any[] {
  return steps.filter((step) => !isCleanup(step));
}

/** The steps for a failure and for a cancellation, among the outermost steps. */
export function cleanupOf<Any extends { kind: StepKind }>(steps: readonly Any[]): (Any & { kind: 'cleanup' }) | undefined {
  return steps.find(isCleanup);
}
