import { signInOf } from '#app/domain/connections/sign-in-settings.ts';
import type { PeerFailure } from '#app/engine/connections/peer.ts';
import { holderOf } from '#app/engine/connections/sign-ins/sign-in-holder.ts';
import type { RunConnection } from '#app/engine/runs/run-config.ts';
import { flushPending, type Outcome, resumeAt, STOP, WAIT } from '#app/engine/runs/run-execution.ts';
import { type Activity, giveUp } from '#app/engine/runs/steps/activity.ts';
import type { Kept } from '#app/engine/runs/steps/call-capability.ts';

/** How long a step waits for a person to sign in before it fails. */
const WAIT_MS = 7 * 86_400_000;

/**
 * The call was refused for want of a sign-in and has done nothing: the step waits, and is attempted again once somebody has signed in.
 * `since`: before the attempt asked for a token, so that a sign-in given meanwhile is not missed.
 */
export async function awaitSignIn(
  activity: Activity,
  { connection, failure, since, lost }: { connection: RunConnection; failure: PeerFailure; since: Date; lost: Kept },
): Promise<Outcome | 'again'> {
  const { execution, path, progress } = activity;
  const { deps, run, claim } = execution;
  const signIn = signInOf(connection.settings);
  const dueAt = new Date(deps.clock.now().getTime() + WAIT_MS);
  const { key, values } = failure;
  progress.error = { key, values, failures: progress.error?.failures ?? 0, refusals: (progress.error?.refusals ?? 0) + 1 };
  const kept = await deps.store.finishStep(
    run,
    claim.attempt,
    path,
    { status: 'pending', error: progress.error, nextAttemptAt: dueAt.toISOString(), ...lost },
    flushPending(execution),
  );
  if (kept.state !== 'ok') {
    execution.stop ??= { kind: kept.state };
    return STOP;
  }
  const { state } = await deps.store.awaitSignIn(run, claim.attempt, path, {
    connection: connection.id,
    user: signIn === null ? null : holderOf(signIn, claim),
    host: String(values.host ?? ''),
    scope: failure.challenge?.scope ?? null,
    since: since.toISOString(),
    dueAt: dueAt.toISOString(),
  });
  switch (state) {
    case 'fenced':
      execution.stop ??= { kind: state };
      return STOP;
    case 'ready':
      return 'again';
    case 'over':
      return giveUp(activity, progress.error);
    case 'waiting':
      resumeAt(execution, dueAt);
      return WAIT;
  }
}
