import { Worker } from 'node:worker_threads';
import type { Log } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import { addCounts, NO_RUNS, type RunCounts } from '#app/domain/metrics/run-counts.ts';
import type { ClaimAnswer } from '#app/domain/runs/claim.ts';
import type { RunChanges, RunEnds } from '#app/domain/runs/run-change.ts';

const STOP_MS = 4_000;
const COUNT_MS = 1_000;
/**
 * The objects left over from the start stay in a young generation that nothing fills again: the default size would hold four times as much
 * for them.
 */
const YOUNG_GENERATION_MB = 12;
const RESTART_MS = [0, 1_000, 2_000, 5_000, 10_000];

/**
 * The thread of the worker says once that it runs steps, and where the built-in peers of this process answer; then what became of runs, and
 * by which id runs are claimed for it as long as it takes some without a job.
 */
export type WorkerMessage =
  | { kind: 'ready'; builtin: { origin: string; token: string } }
  | { kind: 'changed'; changes: RunChanges; ends: RunEnds }
  | { kind: 'takes'; workerId: string | null }
  | { kind: 'counted'; counts: RunCounts };
export type WorkerOrder = { kind: 'begin' } | { kind: 'drive'; run: RunRef; claimed: ClaimAnswer } | { kind: 'count' } | { kind: 'stop' };
type WorkerReady = Extract<WorkerMessage, { kind: 'ready' }>;

export type WorkerThread = {
  /** Lets it run steps. Returns when it does. */
  begin(): Promise<void>;
  builtin(): { origin: string; token: string };
  /** Called with the changes of runs, and with the ends of those that were handed to `drive`. */
  onChanges(listener: (changes: RunChanges, ends: RunEnds) => void): void;
  /** By which id a run that starts here is claimed for the thread, to be driven without a job; null: it is to be queued. */
  claimant(): string | null;
  /** A run that was claimed so. Said to a thread that has ended since, it is taken over from that one. */
  drive(run: RunRef, claimed: ClaimAnswer): void;
  /** What it has done with runs, also before it was started again. A thread that does not answer in time is counted as it was last. */
  counts(): Promise<RunCounts>;
  stop(): Promise<void>;
};

/**
 * Runs the worker's entry in a thread of this process, so that expressions and policies never hold the web server's event
 * loop. It loads its modules at once, while the database starts, and waits for `begin`. A thread that dies is started again:
 * its claims end with its database connections.
 */
export function openWorkerThread(entry: URL, log: Log): WorkerThread {
  let builtin: WorkerReady['builtin'] | undefined;
  /** A thread that ends while its modules load emits its event before anyone listens. */
  let ended = false;
  let stopping = false;
  let failures = 0;
  let tell: (changes: RunChanges, ends: RunEnds) => void = () => undefined;
  let claimant: string | null = null;
  let retry: NodeJS.Timeout | undefined;
  const counted = gatherCounts();
  let worker = open();

  function open(): Worker {
    const thread = new Worker(entry, { name: 'worker', resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
    thread.on('message', (message: WorkerMessage) => {
      if (message.kind === 'changed') tell(message.changes, message.ends);
      if (message.kind === 'takes') claimant = message.workerId;
      if (message.kind === 'counted') counted.take(message.counts);
    });
    thread.on('error', (error) => log.error('the worker thread failed', { error }));
    ended = false;
    thread.once('exit', () => {
      ended = true;
      claimant = null;
      counted.beginAgain();
      if (!stopping && builtin !== undefined) restart();
    });
    return thread;
  }
  function begin(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (ended) return reject(new Error('the worker thread ended while its modules loaded: build again with npm run build'));
      // The first that it says: it reports nothing before it is ready.
      worker.once('message', (message: WorkerReady) => {
        builtin = message.builtin;
        failures = 0;
        resolve();
      });
      worker.once('exit', (code) => reject(new Error(`the worker thread ended with code ${code}`)));
      order({ kind: 'begin' });
    });
  }
  const order = (what: WorkerOrder) => worker.postMessage(what);
  function restart(): void {
    const waitMs = RESTART_MS[Math.min(failures, RESTART_MS.length - 1)] ?? 0;
    failures += 1;
    log.warn('starting the worker thread again', { waitMs });
    retry = setTimeout(() => {
      worker = open();
      begin().catch((error) => log.error('the worker thread did not start', { error }));
    }, waitMs);
  }

  return {
    begin,
    builtin() {
      if (builtin === undefined) throw new Error('the worker thread has not started');
      return builtin;
    },
    onChanges(listener) {
      tell = listener;
    },
    claimant: () => claimant,
    drive: (run, claimed) => order({ kind: 'drive', run, claimed }),
    counts: () => counted.read(() => order({ kind: 'count' })),
    async stop() {
      stopping = true;
      claimant = null;
      clearTimeout(retry);
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      if (worker.threadId === -1) return;
      order({ kind: 'stop' });
      const late = setTimeout(() => void worker.terminate(), STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** The sums of a thread and of those before it: a counter never goes back, or it would look like one that began again. */
function gatherCounts() {
  let before: RunCounts = NO_RUNS;
  let last: RunCounts = NO_RUNS;
  let asked = Promise.withResolvers<void>();
  const sum = () => addCounts(before, last);
  return {
    take(counts: RunCounts) {
      last = counts;
      asked.resolve();
      asked = Promise.withResolvers();
    },
    beginAgain() {
      before = sum();
      last = NO_RUNS;
    },
    async read(ask: () => void): Promise<RunCounts> {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, COUNT_MS);
      const answered = asked.promise;
      ask();
      await Promise.race([answered, late.promise]);
      clearTimeout(timer);
      return sum();
    },
  };
}
