import { setTimeout as pause } from 'node:timers/promises';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Json } from '#app/contracts/json.ts';
import type { RunError } from '#app/domain/runs/run-state.ts';
import type { CallStep } from '#app/domain/workflows/steps/step.ts';
import type { Route } from '#app/engine/routing/route.ts';
import type { RunConfig } from '#app/engine/runs/run-config.ts';
import { fail, flushPending, type Outcome, type RunExecution, resumeAt, STOP, writeLocal } from '#app/engine/runs/run-execution.ts';
import type { Kept } from '#app/engine/runs/steps/call-capability.ts';

/** A call of the workspace's own `agent`, with a known input that is never read as a mapping, and a further reason that may refuse it. */
export type GivenCall = { agent: string; input: { [key: string]: Json }; refuse: (config: RunConfig) => Explanation | null };

/** The state of a step over its attempts so far. */
export type Progress = {
  attempt: number;
  error: RunError | null;
  capabilityId: string | null;
  candidates: Json | null;
  reason: Explanation | null;
  input: { [key: string]: Json } | null;
};

/** One step that calls something, in one hold on its run. */
export type Activity = { execution: RunExecution; step: CallStep; path: string; progress: Progress; given: GivenCall | null };

/** A wait up to this long is sat out; a longer one lets go of the run until then. */
const WAIT_INLINE_MS = 3_000;

/** Ends a step that has a row. */
export async function giveUp({ execution, step, path }: Activity, error: RunError, kept: Kept = {}): Promise<Outcome> {
  const finished = await execution.deps.store.finishStep(
    execution.run,
    execution.claim.attempt,
    path,
    { status: 'error', error, ...kept },
    flushPending(execution),
  );
  if (finished.state !== 'ok') {
    execution.stop ??= { kind: finished.state };
    return STOP;
  }
  return fail(execution, step, path, error);
}

/** Ends a step that never got as far as a decision: nothing was going to happen, so there was nothing to decide. */
export async function endUnstarted(activity: Activity, routed: Route, error: RunError, startedAt: Date): Promise<Outcome> {
  const { execution, step, path, progress } = activity;
  if (progress.attempt > 0 || execution.journal.has(path)) return giveUp(activity, error);
  writeLocal(execution, step, path, { status: 'error', reason: routed.reason, error, startedAt });
  return fail(execution, step, path, error);
}

/** True when the time has come; false when the run is suspended until then. */
export async function waitInline(execution: RunExecution, until: Date): Promise<boolean> {
  const left = until.getTime() - execution.deps.clock.now().getTime();
  if (left > WAIT_INLINE_MS) {
    resumeAt(execution, until);
    return false;
  }
  if (left <= 0) return true;
  try {
    await pause(left, undefined, { signal: execution.signal });
    return true;
  } catch {
    execution.stop ??= { kind: 'cancelled' };
    return false;
  }
}
