import { Worker } from 'node:worker_threads';
import type { Log } from '#app/domain/ports.ts';
import type { RunChanges } from '#app/domain/runs/run-change.ts';

const STOP_MS = 4_000;
/** What is left of starting stays in a young generation that nothing fills again: the default would hold four times that for it. */
const YOUNG_GENERATION_MB = 12;
const RESTART_MS = [0, 1_000, 2_000, 5_000, 10_000];

/** The thread of the worker says once that it runs steps, and where the built-in peers of this process answer; then what became of runs. */
export type WorkerMessage = { kind: 'ready'; builtin: { origin: string; token: string } } | { kind: 'changed'; changes: RunChanges };
type WorkerReady = Extract<WorkerMessage, { kind: 'ready' }>;

export type WorkerThread = {
  /** Lets it run steps. Answers when it does. */
  begin(): Promise<void>;
  builtin(): { origin: string; token: string };
  /** Whoever is named here hears what became of runs. */
  onChanges(listener: (changes: RunChanges) => void): void;
  stop(): Promise<void>;
};

/**
 * Runs `app/worker.ts` in a thread of this process, so that expressions and policies never hold the web server's event
 * loop. It loads its modules at once, while the database starts, and waits for `begin`. A thread that dies is started again:
 * its claims end with its database connections.
 */
export function openWorkerThread(log: Log): WorkerThread {
  // Every output of the build stands in one folder; from the sources, Node strips the types.
  const entry = import.meta.env?.PROD ? new URL('./worker.js', import.meta.url) : new URL('../worker.ts', import.meta.url);
  let builtin: WorkerReady['builtin'] | undefined;
  /** A thread that ended while its modules loaded says so to nobody who asks later. */
  let ended = false;
  let stopping = false;
  let failures = 0;
  let tell: (changes: RunChanges) => void = () => undefined;
  let retry: NodeJS.Timeout | undefined;
  let worker = open();

  function open(): Worker {
    const thread = new Worker(entry, { name: 'worker', resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB } });
    thread.on('message', (message: WorkerMessage) => {
      if (message.kind === 'changed') tell(message.changes);
    });
    thread.on('error', (error) => log.error('the worker thread failed', { error }));
    ended = false;
    thread.once('exit', () => {
      ended = true;
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
      worker.postMessage({ kind: 'begin' });
    });
  }
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
    async stop() {
      stopping = true;
      clearTimeout(retry);
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      if (worker.threadId === -1) return;
      worker.postMessage({ kind: 'stop' });
      const late = setTimeout(() => void worker.terminate(), STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
