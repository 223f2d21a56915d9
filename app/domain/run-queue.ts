/** Which run, and in which workspace: everything a job of the queue says. What is true of a run stands in its journal. */
export type RunRef = { runId: string; workspaceId: string };

export type RunJob = RunRef & { jobId: string };

/** What is notified on commit when jobs may be waiting. */
export const RUN_CHANNEL = 'quorate_runs';

/** One statement on a connection that somebody else has opened, with its transaction. */
export type SqlRunner = (text: string, values: readonly unknown[]) => Promise<{ rows: unknown[] }>;

/**
 * The queue that wakes workers. Delivers at least once; a job may come twice, late, or for a run that is over, and none of
 * that may matter to who receives it.
 */
export type RunQueue = {
  /** `within` puts the jobs into that transaction; `startAfter` holds them back until then; `quiet`: who sends notifies. */
  send(runs: readonly RunRef[], options?: { startAfter?: Date; within?: SqlRunner; quiet?: boolean }): Promise<void>;
  fetch(max: number): Promise<RunJob[]>;
  complete(jobIds: readonly string[]): Promise<void>;
  /** Says that these jobs are still worked on. */
  touch(jobIds: readonly string[]): Promise<void>;
  /**
   * Registers a worker: holds its lock in a session of its own, so that the others see when it is gone, and calls `onWake`
   * when jobs may have come. A lost session is opened again by itself.
   */
  join(workerId: string, onWake: () => void): Promise<{ leave(): Promise<void> }>;
  /** Workers other than this one that hold runs and no longer their lock. */
  listLost(workerId: string): Promise<string[]>;
  /** Releases everything a lost worker held and queues it again, in one transaction. Answers how many runs. */
  takeOver(lostWorkerId: string): Promise<number>;
  stop(): Promise<void>;
};
