import type { Json } from '#app/contracts/json.ts';
import type { ActionSubject } from '#app/domain/audit/action-digest.ts';
import type { JournalStep, RunError } from '#app/domain/runs/run-state.ts';
import type { CallStep } from '#app/domain/workflows/steps/step.ts';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import type { RunConfig, RunConnection } from '#app/engine/runs/run-config.ts';
import { fail, flushPending, type Outcome, type RunExecution, resumeAt, STOP, succeed, WAIT } from '#app/engine/runs/run-execution.ts';
import { approvalRefusal } from '#app/engine/runs/steps/approval-step.ts';
import type { Kept } from '#app/engine/runs/steps/call-capability.ts';
import { unknownOutcomeOf } from '#app/engine/runs/steps/call-kinds.ts';
import { actionDigest } from '#app/engine/runs/steps/digest.ts';

const OUTCOME_HOURS = 72;

/** Whether a second call, after one of which nobody knows what it did, is harmless or was allowed by the step. */
export function mayRepeat(config: RunConfig, step: CallStep, capabilityId: string): boolean {
  return unknownOutcomeOf(step) === 'repeat' || config.repeatable.has(capabilityId);
}

/** True where the step is called at most once, unless repeating it is harmless. */
export function asksForOutcome(step: CallStep): boolean {
  return unknownOutcomeOf(step) === 'ask';
}

/** True where the journal says that a call was under way when its worker was lost, and the step is to be called at most once. */
export function isLostForGood(execution: RunExecution, config: RunConfig, step: CallStep, row: JournalStep | undefined): boolean {
  if (!asksForOutcome(step) || row?.status !== 'processing' || row.runAttempt >= execution.claim.attempt) return false;
  return row.capabilityId === null || !mayRepeat(config, step, row.capabilityId);
}

/** Asks a person what became of a call, with all that is known of it. The run waits; the call is not made again meanwhile. */
export async function askOutcome(
  execution: RunExecution,
  step: CallStep,
  path: string,
  known: {
    attempt: number;
    error: RunError;
    input: { [key: string]: Json };
    target: RoutableCapability | undefined;
    connection: RunConnection | undefined;
    policyVersion: string;
  },
  kept: Kept = {},
): Promise<Outcome> {
  const { deps, run, claim } = execution;
  const { target, connection } = known;
  const subject: ActionSubject = {
    workspaceId: run.workspaceId,
    runId: run.runId,
    stepPath: path,
    connection:
      connection === undefined ? null : { id: connection.id, name: connection.name, slug: connection.slug, kind: connection.kind },
    capability: target === undefined ? null : { id: target.id, name: target.name, kind: target.kind, fingerprint: target.fingerprint },
    input: known.input,
    policyVersion: known.policyVersion,
    outcome: {
      attempt: known.attempt,
      error: { key: known.error.key, values: known.error.values },
      idempotencyKey: `${run.runId}/${path}`,
    },
  };
  const asked = await deps.store.askOutcome(
    run,
    claim.attempt,
    path,
    {
      id: deps.newId(),
      title: step.name,
      subject: subject as unknown as Json,
      digest: actionDigest(subject),
      reason: {
        key: 'outcomeUnknown',
        values: { capability: target?.title || target?.name || step.name, connection: connection?.name ?? '' },
      },
      dueHours: OUTCOME_HOURS,
      error: { ...known.error, unknown: true },
      ...(kept.frames === undefined ? {} : { frames: kept.frames }),
    },
    flushPending(execution),
  );
  if (asked.state !== 'waiting') {
    execution.stop ??= { kind: asked.state };
    return STOP;
  }
  resumeAt(execution, new Date(asked.dueAt));
  return WAIT;
}

/** Takes what a person said of a call's outcome, exactly once. `again`: it did not happen, so it is made again. */
export async function settleOutcome(execution: RunExecution, step: CallStep, path: string): Promise<Outcome | 'again' | 'none'> {
  const { deps, run, claim } = execution;
  const answer = await deps.store.settleOutcome(run, claim.attempt, path, deps.newId(), 'outcomeConfirmed');
  switch (answer.state) {
    case 'none':
    case 'again':
      return answer.state;
    case 'done':
      return succeed(execution, step, null);
    case 'waiting':
      resumeAt(execution, new Date(answer.dueAt));
      return WAIT;
    case 'fenced':
    case 'cancelled':
      execution.stop ??= { kind: answer.state };
      return STOP;
    default: {
      const error = approvalRefusal(answer.state, answer);
      const finished = await deps.store.finishStep(run, claim.attempt, path, { status: 'error', error }, flushPending(execution));
      if (finished.state !== 'ok') {
        execution.stop ??= { kind: finished.state };
        return STOP;
      }
      return fail(execution, step, path, error);
    }
  }
}
