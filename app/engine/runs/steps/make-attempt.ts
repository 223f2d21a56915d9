import { backoffSeconds, type RunError } from '#app/domain/runs/run-state.ts';
import type { PeerFailure } from '#app/engine/connections/peer.ts';
import { SIGN_IN_NEEDED } from '#app/engine/connections/sign-ins/sign-in-needed.ts';
import type { RunConnection } from '#app/engine/runs/run-config.ts';
import { flushPending, freeCall, type Outcome, type RunExecution, STOP, succeed, WAIT } from '#app/engine/runs/run-execution.ts';
import { type Activity, giveUp, waitInline } from '#app/engine/runs/steps/activity.ts';
import { callCapability, type Kept } from '#app/engine/runs/steps/call-capability.ts';
import type { Prepared } from '#app/engine/runs/steps/prepare-attempt.ts';
import { askOutcome, asksForOutcome, mayRepeat } from '#app/engine/runs/steps/unknown-outcome.ts';
import { awaitSignIn } from '#app/engine/runs/waiting/await-sign-in.ts';

/** How often a peer may refuse a call for load before it counts as a failure. */
const MAX_REFUSALS = 20;

/** Makes the call of an attempt that the journal holds as started, and keeps what came of it. `again`: another attempt is due now. */
export async function makeAttempt(activity: Activity, prepared: Prepared, place: boolean): Promise<Outcome | 'again'> {
  const { execution, step, path } = activity;
  const { target, connection, input, config } = prepared;
  const { deps, run, claim } = execution;
  const since = deps.clock.now();
  const result = await callCapability(execution, step, { path, target, connection, input, privateNetwork: config.privateNetwork });
  // let go of, the step keeps its place and is called again; cancelled, its place is found to be free
  if (place && !execution.signal.aborted) await freeCall(execution, connection.id, path);
  countUse(execution, path, result.kept);
  if (result.ok) {
    const { output } = result;
    const finished = await deps.store.finishStep(
      run,
      claim.attempt,
      path,
      { status: 'success', output, ...(output === null ? {} : { outputDigest: result.digest }), error: null, ...result.kept },
      flushPending(execution),
    );
    if (finished.state !== 'ok') {
      execution.stop ??= { kind: finished.state };
      return STOP;
    }
    return succeed(execution, step, output);
  }
  if (execution.signal.aborted) {
    // cancelled: the closing says what became of the step; let go: another worker takes it up
    execution.stop ??= { kind: 'cancelled' };
    return STOP;
  }
  const { failure, kept: lost } = result;
  if (failure.key === SIGN_IN_NEEDED) return awaitSignIn(activity, { connection, failure, since, lost });
  return afterFailure(activity, prepared, failure, lost);
}

/** A failed attempt is made again at its time, given up, or put to a person where nobody knows whether it took effect. */
async function afterFailure(
  activity: Activity,
  { target, connection, input, config }: Prepared,
  failure: PeerFailure,
  lost: Kept,
): Promise<Outcome | 'again'> {
  const { execution, step, path, progress } = activity;
  const { deps, run, claim } = execution;
  const { happened } = failure;
  const { error, comesBack, earliest } = await weighFailure(execution, connection, progress.error, failure);
  const repeatable = happened === 'no' || mayRepeat(config, step, target.id);
  progress.error = error;
  if (happened === 'unknown' && !repeatable) {
    if (asksForOutcome(step)) {
      const { policyVersion } = config.policies;
      return askOutcome(
        execution,
        step,
        path,
        { attempt: progress.attempt, error: progress.error, input, target, connection, policyVersion },
        lost,
      );
    }
    progress.error.unknown = true;
  }
  if (!comesBack && (!failure.retryable || !repeatable || error.failures > step.retries)) return giveUp(activity, error, lost);
  const wait = comesBack ? 0 : backoffSeconds(step.backoffSeconds, error.failures);
  const next = new Date(Math.max(earliest.getTime(), deps.clock.now().getTime() + wait * 1_000));
  const kept = await deps.store.finishStep(
    run,
    claim.attempt,
    path,
    { status: 'pending', error: progress.error, nextAttemptAt: next.toISOString(), ...lost },
    flushPending(execution),
  );
  if (kept.state !== 'ok') {
    execution.stop ??= { kind: kept.state };
    return STOP;
  }
  if (await waitInline(execution, next)) return 'again';
  return execution.stop === null ? WAIT : STOP;
}

/**
 * Counts a failed attempt. A peer that asks for fewer calls holds back all of its connection; a call that it refused for load has not been
 * attempted, and `comesBack` whatever the step's retries, though not forever. `earliest`: as the peer asked.
 */
async function weighFailure(
  { deps, run }: RunExecution,
  connection: RunConnection,
  before: RunError | null,
  { key, values, happened, retryAfterSeconds }: PeerFailure,
): Promise<{ error: RunError & { failures: number }; comesBack: boolean; earliest: Date }> {
  const refused = key === 'peerBusy' && happened === 'no';
  let earliest = deps.clock.now();
  if (refused || retryAfterSeconds !== undefined) {
    const paused = await deps.store.pauseCalls(run.workspaceId, connection.id, retryAfterSeconds ?? null);
    earliest = new Date(Math.max(paused.getTime(), earliest.getTime() + (retryAfterSeconds ?? 0) * 1_000));
  }
  const refusals = (before?.refusals ?? 0) + (refused ? 1 : 0);
  const comesBack = refused && refusals <= MAX_REFUSALS;
  const failures = (before?.failures ?? 0) + (comesBack ? 0 : 1);
  return { error: { key, values, failures, ...(refusals > 0 && { refusals }) }, comesBack, earliest };
}

function countUse(execution: RunExecution, path: string, { usage }: Kept): void {
  if (usage === undefined) return;
  const before = execution.used.get(path) ?? { tokens: 0, inputTokens: 0, costMicros: 0 };
  execution.used.set(path, {
    tokens: before.tokens + usage.tokensIn + usage.tokensOut,
    inputTokens: before.inputTokens + usage.tokensIn,
    costMicros: before.costMicros + (usage.costMicros ?? 0),
  });
}
