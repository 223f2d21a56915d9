import type { RunRef } from '#app/contracts/runs.ts';

export type RunJob = RunRef & { jobId: string };

/** The notification on commit that jobs may be waiting. */
export const RUN_CHANNEL = 'quorate_runs';

/** One statement on a connection that someone else has opened, with its transaction. */
export type SqlRunner = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>;

export type SendOptions = { starts?: boolean; readmits?: boolean } & (
  | { startAfter?: Date; within?: never }
  | { startAfter?: never; within: SqlRunner }
);

/**
 * The queue that wakes workers. Delivers at least once; a job may come twice, late, or for a run that is over, and none of
 * that may matter to who receives it.
 */
export type RunQueue = {
  /**
   * `within` puts the jobs into that transaction; `startAfter` holds them back until then. `starts`: they take
   * their turn behind what their workspace has queued; `readmits`: they had their turn and waited for a free place since, and get one turn
   * after another; others continue, and come first.
   */
  send(runs: readonly RunRef[], options?: SendOptions): Promise<void>;
  /** The place for a run that starts, whose job someone else writes. */
  placeStart(workspaceId: string): Promise<number>;
  /** The next jobs in the order of fairness, or those of one place alone. */
  fetch(max: number, place?: number): Promise<RunJob[]>;
  /** The workspaces and places of the next jobs. Reads the head of the queue and takes nothing. */
  peek(max: number): Promise<{ workspaceId: string; place: number }[]>;
  /** How many jobs wait, as counted every few seconds. */
  countQueued(): Promise<number>;
  complete(jobIds: readonly string[]): Promise<void>;
  /** Says that these jobs are still worked on. */
  touch(jobIds: readonly string[]): Promise<void>;
  /**
   * Registers a worker: holds its lock in a session of its own, so that the others see when it is gone, and calls `onWake` when jobs may
   * have come. A lost session is opened again on its own.
   */
  join(workerId: string, onWake: () => void): Promise<{ leave(): Promise<void> }>;
  /** Says that the worker is there. False: it was silent for so long that others may drive its runs by now. */
  renew(workerId: string): Promise<boolean>;
  /** Workers other than this one that hold runs and no longer their lock, or did not renew their lease. */
  listLost(workerId: string): Promise<string[]>;
  /** Releases everything a lost worker held and queues it again, in one transaction. Returns how many runs. */
  takeOver(lostWorkerId: string): Promise<number>;
  stop(): Promise<void>;
};
