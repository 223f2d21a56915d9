import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { RunCeilings } from '#app/contracts/limits.ts';
import { AppError } from '#app/domain/errors.ts';
import { runLimitsInForce } from '#app/domain/runs/run-limits.ts';
import type { RunQueue } from '#app/domain/runs/run-queue.ts';

/** This close to its limit a queue is counted at each start; else now and then, with what this process has started since. */
const NEAR_LIMIT = 200;
const COUNT_FOR_MS = 250;
/** Runs that the one statement of a program's start counts. */
const COUNTED_AT_ONCE = 200;
const MAX_KEPT = 1_000;
/** The wait reported where nothing has left the queue for so long that no pace can be measured. */
const UNKNOWN_WAIT_SECONDS = 300;
const MAX_WAIT_SECONDS = 3_600;

/**
 * Refuses a start where too many runs wait already: those of the workspace (`over_limit`), or of the whole instance (`unavailable`), with
 * the seconds after which there should be room. Asked before the run is written, in the transaction that starts it.
 */
export function createAdmitRun(
  ceilings: RunCeilings,
  queuedInAll: () => Promise<number>,
  now = () => performance.now(),
): Engine['admitRun'] {
  const counts = new LRUCache<string, { at: number; queued: number }>({ max: MAX_KEPT });
  async function countQueued(db: Db, workspaceId: string, limit: number): Promise<number> {
    const known = counts.get(workspaceId);
    if (known !== undefined && known.queued < limit - NEAR_LIMIT && now() - known.at < COUNT_FOR_MS) return known.queued;
    const { rows } = await sql<{ queued: number }>`select quorate.count_queued_runs(${workspaceId}, ${limit}) as queued`.execute(db);
    const queued = rows[0]?.queued ?? limit;
    counts.set(workspaceId, { at: now(), queued });
    return queued;
  }
  return async (db, workspaceId, settings) => {
    const { queuedRuns } = runLimitsInForce(settings, ceilings);
    const queued = await countQueued(db, workspaceId, queuedRuns);
    if (queued >= queuedRuns) throw new AppError('over_limit', { values: { what: 'queue', seconds: await waitFor(db, workspaceId, 1) } });
    const inAll = await queuedInAll();
    if (inAll >= ceilings.queuedInAll) {
      const over = Math.max(1, Math.min(inAll - ceilings.queuedInAll, queued));
      throw new AppError('unavailable', { values: { what: 'queue', seconds: await waitFor(db, workspaceId, over) } });
    }
    const entry = counts.get(workspaceId);
    if (entry !== undefined) entry.queued += 1;
  };
}

/** As `Engine['openStart']`. Queues longer than what a statement counts quickly use the full way. */
export function createOpenStart(ceilings: RunCeilings, queue: Pick<RunQueue, 'countQueued' | 'placeStart'>): Engine['openStart'] {
  return async (workspaceId, settings) => {
    if ((await queue.countQueued()) >= ceilings.queuedInAll) return null;
    const { queuedRuns } = runLimitsInForce(settings, ceilings);
    return { place: await queue.placeStart(workspaceId), room: Math.min(queuedRuns, COUNTED_AT_ONCE) };
  };
}

async function waitFor(db: Db, workspaceId: string, runs: number): Promise<number> {
  const { rows } = await sql<{ wait: number | null }>`select quorate.queue_wait(${workspaceId}, ${runs}) as wait`.execute(db);
  const wait = rows[0]?.wait ?? UNKNOWN_WAIT_SECONDS;
  return Math.min(MAX_WAIT_SECONDS, Math.max(1, Math.ceil(wait)));
}
