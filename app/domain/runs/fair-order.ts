/** Between two tags of one workspace. The rest below it keeps the tags of different workspaces apart. */
const STEP = 128;
/** Places are integers of four bytes. */
const MOST = 2_147_483_000;
/** The queue's head is used this long before it is read again. */
export const HEAD_FOR_MS = 200;
/** A head that was not read for this long says nothing any longer: the queue may have been empty meanwhile. */
const STALE_MS = 5_000;

export type FairOrder = {
  /** True while the head that was reported is recent enough to give out tags. */
  isFresh(now: number): boolean;
  /** The tag of the first job that is ready, null where none is. Times in milliseconds, of one clock. */
  report(head: number | null, now: number): void;
  /** The place of a run that starts: after the last one of its own workspace, and level with the head of everyone else's. */
  start(workspaceId: string): number;
  /** The place of a run that waited for a free place under a limit: level with everyone's head, and one a turn. */
  readmit(workspaceId: string): number;
  /** The place of a run that has begun and continues: it does not queue behind its own workspace's backlog. */
  resume(workspaceId: string): number;
};

/**
 * Start-time fair queuing (Goyal, Vin and Cheng, 1996) with weights of one: places in one queue, lowest first, so that each workspace
 * with a backlog is served in turn however long any backlog is. Last tags stand in memory; a workspace that starts
 * runs through n processes gets up to n shares.
 */
export function createFairOrder(): FairOrder {
  const last = new Map<string, number>();
  const readmitted = new Map<string, number>();
  let virtual = 0;
  let at = Number.NEGATIVE_INFINITY;
  const own = (workspaceId: string) => Number.parseInt(workspaceId.slice(-6), 16) % STEP || 0;
  const next = (tags: Map<string, number>, workspaceId: string) => {
    const turn = Math.floor(Math.max(virtual, tags.get(workspaceId) ?? 0) / STEP) + 1;
    const tag = Math.min(turn * STEP + own(workspaceId), MOST);
    tags.set(workspaceId, tag);
    return tag;
  };
  return {
    isFresh: (now) => now - at < HEAD_FOR_MS,
    report(head, now) {
      if (head === null || now - at > STALE_MS) for (const tags of [last, readmitted]) tags.clear();
      // a run that was put back carries an old tag: the head never goes back while the queue holds anything
      virtual = head === null ? 0 : now - at > STALE_MS ? head : Math.max(virtual, head);
      at = now;
      for (const tags of [last, readmitted]) for (const [workspaceId, tag] of tags) if (tag < virtual) tags.delete(workspaceId);
    },
    start: (workspaceId) => next(last, workspaceId),
    readmit: (workspaceId) => next(readmitted, workspaceId),
    resume: (workspaceId) => Math.floor(virtual / STEP) * STEP + own(workspaceId),
  };
}
