import type { RunRef } from '#app/domain/runs/run-queue.ts';
import type { Json } from '#app/domain/tables.ts';
import type { VersionDocument } from '#app/domain/workflows/agent.ts';
import { type JournalDecision, type JournalStep, journalEntry } from '#app/engine/audit/journal-hash.ts';
import { type Drive, type DriveDeps, freeCall, openDrive, type Stop, takeUnwritten } from '#app/engine/runs/drive.ts';
import { walkDocument } from '#app/engine/runs/interpreter.ts';
import type { ClaimedRun } from '#app/engine/runs/run-store.ts';

export type Driven = 'closed' | 'parked' | 'wake' | 'fenced' | 'let go';
export type ReadDocument = (workspaceId: string, versionId: string) => Promise<VersionDocument | null>;

/** Drives a claimed run as far as it goes: to its end, to where it waits, or until the claim is lost. */
export async function driveRun(
  deps: DriveDeps & { readDocument: ReadDocument; broken?: boolean },
  run: RunRef,
  claim: ClaimedRun,
  signals: { cancel: AbortSignal; letGo: AbortSignal },
): Promise<Driven> {
  const drive = openDrive(deps, run, claim, AbortSignal.any([signals.cancel, signals.letGo]));
  if (claim.cancelled) drive.stop = { kind: 'cancelled' };
  if (deps.broken) drive.stop ??= { kind: 'failed', error: { key: 'runBroken', values: {} } };
  const document = await deps.readDocument(run.workspaceId, claim.versionId);
  if (document === null) drive.stop ??= { kind: 'failed', error: { key: 'versionUnreadable', values: {} } };
  drive.agents = document?.agents ?? {};
  if (document?.inspects === true) drive.judgedAs = 'live';
  const outcome = drive.stop !== null || document === null ? ({ kind: 'stop' } as const) : await walkDocument(drive, document);
  if (outcome.kind === 'done') return close(drive, { status: 'completed', output: outcome.output, error: null });
  if (outcome.kind === 'wait') return park(drive);
  return end(drive, drive.stop ?? { kind: 'fenced' }, signals);
}

async function end(drive: Drive, stop: Stop, signals: { cancel: AbortSignal; letGo: AbortSignal }): Promise<Driven> {
  if (stop.kind === 'fenced') return 'fenced';
  // the process ends: whoever takes over finds the steps under way in the journal
  if (signals.letGo.aborted && !signals.cancel.aborted) return 'let go';
  if (stop.kind === 'halted') return park(drive);
  if (stop.kind === 'cancelled') return close(drive, { status: 'cancelled', output: null, error: null });
  return close(drive, { status: 'failed', output: null, error: stop.error });
}

/** The job for the waking time is sent first: a kill in between leaves a job too many, which harms nobody. */
async function park(drive: Drive): Promise<Driven> {
  const { deps, run, claim } = drive;
  if (drive.wakeAt !== null) await deps.queue.send([run], { startAfter: drive.wakeAt });
  const { state } = await deps.store.park(run, claim.attempt, takeUnwritten(drive));
  // only now can it be granted a place; one that was freed a moment ago would else stay free until the next look
  if (state === 'parked') for (const [path, connectionId] of drive.inLine) await freeCall(drive, connectionId, path);
  return state;
}

async function close(drive: Drive, end: { status: 'completed' | 'failed' | 'cancelled'; output: Json; error: Json }): Promise<Driven> {
  const { deps, run, claim } = drive;
  const rows = await deps.store.settle(run, claim.attempt, takeUnwritten(drive));
  // a halt came before the last steps were written: they never started
  if ('halted' in rows) return park(drive);
  const journal = journalEntry(
    rows.steps.map((row) => withTimes(row, ['started_at', 'finished_at']) as unknown as JournalStep),
    rows.decisions.map((row) => withTimes(row, ['decided_at']) as unknown as JournalDecision),
  );
  const { state } = await deps.store.close(run, claim.attempt, { ...end, journal: journal as unknown as Json, eventId: deps.newId() });
  if (state === 'cancelled') return close(drive, { status: 'cancelled', output: null, error: null });
  return state;
}

function withTimes(row: { [column: string]: Json }, columns: readonly string[]): { [column: string]: Json | Date } {
  const read: { [column: string]: Json | Date } = { ...row };
  for (const column of columns) {
    const value = row[column];
    if (typeof value === 'string') read[column] = new Date(value);
  }
  return read;
}
