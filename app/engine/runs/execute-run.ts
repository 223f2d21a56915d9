import type { Json } from '#app/contracts/json.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import type { ClaimedRun } from '#app/domain/runs/claim.ts';
import type { VersionDocument } from '#app/domain/workflows/agent.ts';
import { type JournalDecision, type JournalStep, journalEntry } from '#app/engine/audit/journal-hash.ts';
import { runDocument, runDocumentCleanup } from '#app/engine/runs/interpreter.ts';
import {
  beginExecution,
  type ExecutionDeps,
  flushPending,
  freeCall,
  type Outcome,
  type RunExecution,
  STOP,
  type Stop,
} from '#app/engine/runs/run-execution.ts';
import { type BegunCleanup, beginCleanup, begunCleanupOf, type CleanupCause, causeOf } from '#app/engine/runs/steps/errors/cleanup-step.ts';
import { runWithCallbacks } from '#app/engine/runs/steps/wait-step.ts';

export type ExecutionEnd = 'closed' | 'parked' | 'wake' | 'fenced' | 'let go';

/** Drives a claimed run as far as it goes: to its end, to where it waits, or until the claim is lost. */
export async function executeRun(
  deps: ExecutionDeps & { broken?: boolean },
  run: RunRef,
  claim: ClaimedRun,
  signals: { cancel: AbortSignal; letGo: AbortSignal },
): Promise<ExecutionEnd> {
  const execution = beginExecution(deps, run, claim, AbortSignal.any([signals.cancel, signals.letGo]));
  if (claim.cancelled) execution.stop = { kind: 'cancelled' };
  if (deps.broken) execution.stop ??= { kind: 'failed', error: { key: 'runBroken', values: {} } };
  const document = await deps.readDocument(run.workspaceId, claim.versionId);
  if (document === null) execution.stop ??= { kind: 'failed', error: { key: 'versionUnreadable', values: {} } };
  execution.agents = document?.agents ?? {};
  Object.assign(execution.scope, runWithCallbacks(execution, document?.steps ?? [], ''));
  if (document?.inspects === true) execution.judgedAs = 'live';
  const begun = document === null ? null : begunCleanupOf(execution, document.steps);
  const outcome = await walk(execution, document, begun);
  if (outcome.kind === 'wait') return suspend(execution);
  if (outcome.kind === 'done')
    return close(execution, begun === null ? { status: 'completed', output: outcome.output, error: null } : endBy(begun.cause));
  const stop = execution.stop ?? ({ kind: 'fenced' } as const);
  const cleanup = document === null || begun !== null || deps.broken ? null : causeOf(execution, document.steps, stop);
  return end(execution, stop, signals, cleanup);
}

async function walk(execution: RunExecution, document: VersionDocument | null, begun: BegunCleanup | null): Promise<Outcome> {
  if (execution.stop !== null || document === null) return STOP;
  return begun === null ? runDocument(execution, document) : runDocumentCleanup(execution, document, begun);
}

/** `cleanup`: the steps that run before the run ends so. */
async function end(
  execution: RunExecution,
  stop: Stop,
  signals: { cancel: AbortSignal; letGo: AbortSignal },
  cleanup: BegunCleanup | null,
): Promise<ExecutionEnd> {
  if (stop.kind === 'fenced') return 'fenced';
  // the process ends: the next worker finds the steps under way in the journal
  if (signals.letGo.aborted && !signals.cancel.aborted) return 'let go';
  if (stop.kind === 'halted') return suspend(execution);
  // The steps under way were let go of; what follows is a drive of its own.
  if (cleanup !== null) return beginCleanup(execution, cleanup);
  return close(execution, endBy(stop.kind === 'cancelled' ? { ended: 'cancelled' } : { ended: 'failed', error: stop.error }));
}

const endBy = (cause: CleanupCause) =>
  cause.ended === 'cancelled'
    ? ({ status: 'cancelled', output: null, error: null } as const)
    : ({ status: 'failed', output: null, error: cause.error } as const);

/** The job for the wake-up time is sent first: a kill in between leaves an extra job, which does no harm. */
async function suspend(execution: RunExecution): Promise<ExecutionEnd> {
  const { deps, run, claim } = execution;
  if (execution.wakeAt !== null) await deps.queue.send([run], { startAfter: execution.wakeAt });
  const { state } = await deps.store.suspend(run, claim.attempt, flushPending(execution));
  // only now can it be granted a place; one freed a moment ago would otherwise stay unused until the next look
  if (state === 'parked') for (const [path, connectionId] of execution.inLine) await freeCall(execution, connectionId, path);
  return state;
}

async function close(
  execution: RunExecution,
  end: { status: 'completed' | 'failed' | 'cancelled'; output: Json; error: Json },
): Promise<ExecutionEnd> {
  const { deps, run, claim } = execution;
  const rows = await deps.store.settle(run, claim.attempt, flushPending(execution));
  // a halt came before the last steps were written: they never started
  if ('halted' in rows) return suspend(execution);
  const journal = journalEntry(
    rows.steps.map((row) => withTimes(row, ['started_at', 'finished_at']) as unknown as JournalStep),
    rows.decisions.map((row) => withTimes(row, ['decided_at']) as unknown as JournalDecision),
  );
  const closed = await deps.store.close(run, claim.attempt, { ...end, journal: journal as unknown as Json, eventId: deps.newId() });
  if (closed.state === 'cancelled') return close(execution, { status: 'cancelled', output: null, error: null });
  // Lost on the way, they are found as stalled.
  if (closed.at !== undefined && closed.related.length > 0)
    await deps.queue.send(closed.related.map((runId) => ({ runId, workspaceId: run.workspaceId })));
  return closed.state;
}

function withTimes(row: { [column: string]: Json }, columns: readonly string[]): { [column: string]: Json | Date } {
  const read: { [column: string]: Json | Date } = { ...row };
  for (const column of columns) {
    const value = row[column];
    if (typeof value === 'string') read[column] = new Date(value);
  }
  return read;
}
