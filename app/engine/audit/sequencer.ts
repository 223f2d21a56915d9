import { sql } from 'kysely';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Log, LogMark, LogMarks, LogSigner, NewId } from '#app/contracts/ports.ts';
import { hex } from '#app/domain/audit/audit-leaf.ts';
import { LogRefusedError } from '#app/domain/audit/log-finding.ts';
import { type Placed, placeEvents } from '#app/engine/audit/place-events.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';

/** Pauses between two looks, while events come and while none do. Together with a batch's work: a place within a second. */
const BUSY_MS = 250;
const IDLE_MS = 500;
/** After a failure: doubles from the idle pause up to this. */
export const LONGEST_PAUSE_MS = 10_000;

export type SequencerDeps = {
  /** A transaction as quorate_worker inside one workspace. */
  asWorker<T>(workspaceId: string, work: (db: Db) => Promise<T>): Promise<T>;
  /** A transaction as quorate_app itself, for its definer functions. */
  asApp<T>(work: (db: Db) => Promise<T>): Promise<T>;
  signer: LogSigner;
  /** Marks of earlier signatures, kept outside the database: no shorter and no other log is signed. */
  marks: LogMarks;
  newId: NewId;
  log: Log;
};

/**
 * Places committed events in their workspaces' trees, again and again until stopped. Looks on its own instead of being notified: NOTIFY
 * takes one lock for the whole database at each commit, which is what the sequencer exists to avoid. A look that finds nothing is one index
 * probe. Any number of processes may run it: a lock a workspace decides.
 */
export function startSequencer(deps: SequencerDeps): { stop(): Promise<void>; wake(): void } {
  const reported = new Set<string>();
  return repeat({
    work: async (stopping) => ((await placeAllPending(deps, stopping, reported)) ? BUSY_MS : IDLE_MS),
    failed(error, failures) {
      deps.log.error('sequencer: events wait for their place', { error, failures });
      return Math.min(LONGEST_PAUSE_MS, IDLE_MS * 2 ** failures);
    },
  });
}

/** One look over all workspaces. One whose tree is damaged keeps its events waiting and does not hold up the others. */
async function placeAllPending(deps: SequencerDeps, signal: AbortSignal, reported: Set<string>): Promise<boolean> {
  const workspaces = await deps.asApp((db) => sql<{ id: string }>`select w.id from quorate.pending_log_workspaces() as w (id)`.execute(db));
  let found = false;
  const failed: unknown[] = [];
  for (const { id } of workspaces.rows) {
    let more = true;
    while (more && !signal.aborted) {
      more = false;
      try {
        const placed = await placeOnce(deps, id);
        for (const event of placed.unhashable.filter((one) => !reported.has(one))) {
          deps.log.error('sequencer: an event has no canonical form and stays without a place', { workspace: id, event });
          reported.add(event);
        }
        found ||= placed.placed > 0;
        more = placed.more && placed.placed > 0;
      } catch (error) {
        failed.push(error);
        // It stays so until a person has looked, and health says it: once is enough here.
        const refused = error instanceof LogRefusedError ? `${id} ${error.finding.code}` : null;
        if (refused !== null && reported.has(refused)) continue;
        if (refused !== null) reported.add(refused);
        deps.log.error('sequencer: nothing placed in this workspace', { workspace: id, error });
      }
    }
  }
  if (failed.length > 0 && failed.length === workspaces.rows.length) throw new AggregateError(failed, 'no workspace could be sequenced');
  return found;
}

async function placeOnce(deps: SequencerDeps, workspaceId: string): Promise<Placed> {
  const mark = await deps.marks.read(workspaceId);
  if (mark?.accepted) return await placeAfterAcceptance(deps, workspaceId, mark);
  const placed = await deps.asWorker(workspaceId, (db) => placeEvents(db, workspaceId, deps.signer, mark, deps.newId));
  if (placed.note !== null) deps.marks.advance(workspaceId, placed.note);
  return placed;
}

/** The log continues from what is stored, and says itself from where: everyone who verifies it later reads that there was another one. */
async function placeAfterAcceptance(deps: SequencerDeps, workspaceId: string, { head }: LogMark): Promise<Placed> {
  const placed = await deps.asWorker(workspaceId, async (db) => {
    const payload: AuditEntry['payload'] = head === null ? {} : { signedSize: head.size, signedRoot: hex(head.root) };
    await recordEvent(db, {
      id: deps.newId(),
      actor: { kind: 'system', id: null, name: null },
      workspaceId,
      entry: { action: 'log.accepted', resource: { kind: 'workspace', id: workspaceId }, payload },
    });
    const result = await placeEvents(db, workspaceId, deps.signer, null, deps.newId);
    if (result.note === null) throw new Error('another process places events of this log at this moment');
    return { ...result, note: result.note };
  });
  await deps.marks.replace(workspaceId, placed.note);
  deps.log.warn('sequencer: a log goes on from another state than was signed last, as accepted', { workspace: workspaceId });
  return placed;
}
