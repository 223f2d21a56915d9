import type { RunStatus, StepStatus } from '#app/contracts/statuses.ts';

/** How a step of a run stands: one that is under way in a run that waits, for a person or for a time, waits with it. */
export function stepStatusIn(run: RunStatus, step: StepStatus): StepStatus {
  return run === 'waiting' && step === 'processing' ? 'waiting' : step;
}

export function isTerminalRunStatus(status: RunStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
