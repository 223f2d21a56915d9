import type { Json } from '#app/contracts/json.ts';
import type { LocalStep, RunError } from '#app/domain/runs/run-state.ts';
import { cleanupOf, ON_CANCEL, ON_FAILURE } from '#app/domain/workflows/steps/cleanup-parts.ts';
import type { CleanupStep, Step } from '#app/domain/workflows/steps/step.ts';
import {
  flushPending,
  forkContained,
  type Outcome,
  type RunExecution,
  STOP,
  type Stop,
  WAIT,
  writeLocal,
} from '#app/engine/runs/run-execution.ts';
import { outputOf, takeOver } from '#app/engine/runs/steps/errors/take-over.ts';
import type { RunSequence } from '#app/engine/runs/steps/step-runner.ts';

/** How the run ends, which the steps of a cleanup do not change. */
export type CleanupCause = { ended: 'failed'; error: RunError } | { ended: 'cancelled' };
export type BegunCleanup = { step: CleanupStep; cause: CleanupCause };

const stepsFor = (step: CleanupStep, { ended }: CleanupCause): readonly Step[] =>
  step.branches.find(({ label }) => label === labelOf(ended))?.steps ?? [];
const labelOf = (ended: CleanupCause['ended']) => (ended === 'failed' ? ON_FAILURE : ON_CANCEL);

/** Reached in its turn: the run has come to its end, and nothing is to be cleaned up. */
export async function runCleanupStep(execution: RunExecution, step: CleanupStep, path: string): Promise<Outcome> {
  const reason = { key: 'cleanupNotNeeded', values: {} };
  writeLocal(execution, step, path, { status: 'skipped', reason, startedAt: execution.deps.clock.now() });
  return { kind: 'done', output: null };
}

/** The cleanup of an earlier drive, as the journal knows it. */
export function begunCleanupOf({ journal }: RunExecution, steps: readonly Step[]): BegunCleanup | null {
  const step = cleanupOf(steps);
  const row = step === undefined ? undefined : journal.get(step.id);
  if (step === undefined || row === undefined || row.status === 'skipped') return null;
  return { step, cause: row.input as CleanupCause };
}

/** Why the steps for a bad end are to run, where the workflow has some; null where nothing has begun that could be cleaned up. */
export function causeOf({ claim }: RunExecution, steps: readonly Step[], stop: Stop): BegunCleanup | null {
  const step = cleanupOf(steps);
  if (step === undefined || (stop.kind !== 'failed' && stop.kind !== 'cancelled')) return null;
  const cause: CleanupCause = stop.kind === 'cancelled' ? { ended: 'cancelled' } : { ended: 'failed', error: stop.error };
  const nothingBegan = claim.cancelled && claim.steps.length === 0;
  return nothingBegan || stepsFor(step, cause).length === 0 ? null : { step, cause };
}

/**
 * Writes down how the run ends and that the steps for it run now: from here on each drive goes this way. What waits is let go of, and a
 * cancellation is taken as heard, so that another one ends the cleanup. `wake`: the run is claimed anew.
 */
export async function beginCleanup(execution: RunExecution, { step, cause }: BegunCleanup): Promise<'wake' | 'fenced'> {
  const { deps, run, claim } = execution;
  const local = flushPending(execution);
  const reason = { key: cause.ended === 'failed' ? 'cleanupFailed' : 'cleanupCancelled', values: {} };
  writeLocal(execution, step, step.id, { status: 'processing', reason, input: cause as Json, startedAt: deps.clock.now() });
  const [row] = flushPending(execution) as [LocalStep];
  const begun = await deps.store.beginCleanup(run, claim.attempt, { row, eventId: deps.newId() }, local);
  if (begun.state === 'fenced') return 'fenced';
  if (begun.state === 'begun' && begun.related.length > 0)
    await deps.queue.send(begun.related.map((runId) => ({ runId, workspaceId: run.workspaceId })));
  return 'wake';
}

/** Runs the steps for a bad end. Its own failure is told by its row: the run ends as it would have. */
export async function runCleanup(
  execution: RunExecution,
  before: readonly Step[],
  { step, cause }: BegunCleanup,
  runSequence: RunSequence,
): Promise<Outcome> {
  const status = execution.journal.get(step.id)?.status;
  if (status === 'success' || status === 'error') return { kind: 'done', output: null };
  takeOver(execution, before, '', (_id, path) => outputOf(execution.journal.get(path)));
  const { key, values, step: at } = cause.ended === 'failed' ? cause.error : { key: '', values: {}, step: '' };
  const own = forkContained(execution, cause.ended === 'failed' ? { error: { key, values, step: at ?? '' } } : {});
  const outcome = await runSequence(own, stepsFor(step, cause), `${step.id}/${labelOf(cause.ended)}`);
  const failure = own.failure();
  if (outcome.kind === 'wait') return execution.stop === null ? WAIT : STOP;
  if (failure === null && outcome.kind === 'stop') return STOP;
  const startedAt = execution.deps.clock.now();
  if (failure === null) writeLocal(execution, step, step.id, { status: 'success', startedAt });
  else writeLocal(execution, step, step.id, { status: 'error', error: failure, startedAt });
  return { kind: 'done', output: null };
}
