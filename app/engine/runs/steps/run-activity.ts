import type { Json } from '#app/contracts/json.ts';
import { assertNever } from '#app/domain/assert-never.ts';
import { lostAttempts } from '#app/domain/runs/run-state.ts';
import type { CallStep } from '#app/domain/workflows/steps/step.ts';
import {
  countAsHigh,
  fail,
  flushPending,
  isChanged,
  type Outcome,
  type RunExecution,
  resumeAt,
  STOP,
  succeed,
  WAIT,
} from '#app/engine/runs/run-execution.ts';
import { type Activity, endUnstarted, type GivenCall, giveUp, type Progress, waitInline } from '#app/engine/runs/steps/activity.ts';
import { approvalRefusal } from '#app/engine/runs/steps/approval-step.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';
import { isCarriedOut, isDry, noteCall } from '#app/engine/runs/steps/dry/dry-run.ts';
import { makeAttempt } from '#app/engine/runs/steps/make-attempt.ts';
import { type Prepared, prepareAttempt } from '#app/engine/runs/steps/prepare-attempt.ts';
import { askOutcome, asksForOutcome, isLostForGood, settleOutcome } from '#app/engine/runs/steps/unknown-outcome.ts';

/** Calls of one step that may vanish with their worker before it is given up. */
const MAX_LOST_ATTEMPTS = 50;
/** How often a step may find its configuration out of date before it starts. */
const MAX_STALE = 20;

/** A call of a tool, an agent or a model: resolve, decide, start, call, keep. Each attempt has its own decision; all share one idempotency key. */
export async function runActivity(execution: RunExecution, step: CallStep, path: string, given: GivenCall | null = null): Promise<Outcome> {
  const row = execution.journal.get(path);
  const open = row?.approvalId == null ? undefined : execution.approvals.find((approval) => approval.id === row.approvalId);
  if (row?.status === 'waiting' && open?.status === 'pending' && new Date(open.dueAt) > execution.deps.clock.now()) {
    resumeAt(execution, new Date(open.dueAt));
    return WAIT;
  }
  const progress: Progress = {
    attempt: row?.attempt ?? 0,
    error: row?.error ?? null,
    capabilityId: row?.capabilityId ?? null,
    candidates: row?.candidates ?? null,
    reason: row?.reason ?? null,
    input: isRecord(row?.input) ? row.input : null,
  };
  // a step that waited for its approval has not been attempted
  if (row?.status === 'waiting' || (row?.status === 'pending' && row.nextAttemptAt === null))
    progress.attempt = Math.max(0, progress.attempt - 1);
  if (row?.status === 'waiting' && row.error?.unknown === true) {
    const settled = await settleOutcome(execution, step, path);
    if (settled !== 'again' && settled !== 'none') return settled;
    if (settled === 'again') {
      progress.attempt = row.attempt;
      const { key, values, failures = 1, refusals = 0 } = row.error;
      progress.error = { key, values, failures, refusals };
    }
  }
  if (row?.status === 'processing' && asksForOutcome(step)) {
    const config = await execution.deps.configs.get(execution.run.workspaceId, execution.revision);
    if (isLostForGood(execution, config, step, row)) {
      const target = row.capabilityId === null ? undefined : config.capabilities.get(row.capabilityId);
      return askOutcome(execution, step, path, {
        attempt: row.attempt,
        error: { key: 'callLost', values: {}, failures: row.attempt },
        input: progress.input ?? {},
        target,
        connection: target === undefined ? undefined : config.connections.get(target.connectionId),
        policyVersion: config.policies.policyVersion,
      });
    }
  }
  if (row?.nextAttemptAt != null && !(await waitInline(execution, new Date(row.nextAttemptAt))))
    return execution.stop === null ? WAIT : STOP;
  const activity: Activity = { execution, step, path, progress, given };
  // Its input was changed by hand: the call itself is judged by that, and everything after it.
  const changed = isChanged(progress);
  if (changed) countAsHigh(execution, step);
  for (;;) {
    const outcome = await attempt(activity);
    if (outcome === 'again') continue;
    if (changed && outcome.kind === 'done') countAsHigh(execution, step);
    return outcome;
  }
}

async function attempt(activity: Activity): Promise<Outcome | 'again'> {
  const { execution, progress } = activity;
  const { deps, run } = execution;
  const startedAt = deps.clock.now();
  if (lostAttempts(progress.attempt, progress.error) >= MAX_LOST_ATTEMPTS)
    return giveUp(activity, { key: 'stepLostTooOften', values: { attempts: progress.attempt } });
  for (let stale = 0; stale < MAX_STALE; stale += 1) {
    const config = await deps.configs.get(run.workspaceId, execution.revision);
    const prepared = await prepareAttempt(activity, config);
    if ('refused' in prepared) return endUnstarted(activity, prepared.routed, prepared.refused, startedAt);
    if (isDry(execution) && !isCarriedOut(activity, prepared)) {
      const noted = await noteCall(activity, prepared, rowOf(activity, prepared));
      if (!('stale' in noted)) return noted;
      execution.revision = Math.max(execution.revision + 1, noted.stale);
      continue;
    }
    const started = await start(activity, prepared);
    if (started.state === 'stale') {
      execution.revision = Math.max(execution.revision + 1, started.revision);
      continue;
    }
    progress.capabilityId = prepared.target.id;
    progress.candidates = prepared.routed.candidates as unknown as Json;
    progress.reason = prepared.routed.reason;
    return afterStart(activity, prepared, started);
  }
  // the configuration changes faster than a step can start: let go and come back
  resumeAt(execution, new Date(deps.clock.now().getTime() + 1_000));
  return WAIT;
}

/** The row of an attempt as the journal takes it. */
function rowOf({ execution, step, path, progress }: Activity, { routed, target, connection, input, decision }: Prepared) {
  return {
    path,
    stepId: step.id,
    kind: step.kind,
    name: step.name,
    attempt: progress.attempt + 1,
    key: `${execution.run.runId}/${path}`,
    protocol: connection.kind === 'mcp' || connection.kind === 'a2a' ? connection.kind : null,
    connectionId: connection.id,
    capabilityId: target.id,
    fingerprint: target.fingerprint,
    candidates: routed.candidates as unknown as Json,
    reason: routed.reason,
    input,
    inputDigest: digestOf(input),
    decision: decision.row,
    ...(decision.approval === null ? {} : { approval: decision.approval }),
    refusal: decision.row.reason,
  };
}

/** Asks the journal for the start, which it grants only under the configuration that was judged. */
function start(activity: Activity, prepared: Prepared) {
  const { deps, run, claim } = activity.execution;
  return deps.store.startStep(run, claim.attempt, prepared.config.revision, rowOf(activity, prepared), flushPending(activity.execution));
}

async function afterStart(
  activity: Activity,
  prepared: Prepared,
  started: Exclude<Awaited<ReturnType<typeof start>>, { state: 'stale' }>,
): Promise<Outcome | 'again'> {
  const { execution, step, path, progress } = activity;
  switch (started.state) {
    case 'fenced':
    case 'halted':
    case 'cancelled':
      execution.stop ??= { kind: started.state };
      return STOP;
    case 'waiting':
      resumeAt(execution, new Date(started.dueAt));
      return WAIT;
    case 'full':
      execution.inLine.set(path, prepared.connection.id);
      return WAIT;
    case 'refused':
      return fail(execution, step, path, prepared.decision.row.reason);
    case 'rejected':
    case 'expired':
    case 'withdrawn':
      return giveUp(activity, approvalRefusal(started.state, started));
    case 'done':
      return started.status === 'success'
        ? succeed(execution, step, started.output)
        : fail(execution, step, path, started.error ?? { key: 'stepFailed', values: {} });
    case 'started':
      progress.attempt += 1;
      return makeAttempt(activity, prepared, started.place === true);
    default:
      return assertNever(started);
  }
}

function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
