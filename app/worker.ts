/**
 * A worker runs steps and nothing else: as a thread of the web server (the default), or as a process, any number of them on one database.
 */
import { once } from 'node:events';
import { isMainThread, parentPort } from 'node:worker_threads';
import type { Log } from '#app/contracts/ports.ts';
import type { RunChanges, RunEnds } from '#app/domain/runs/run-change.ts';
import { type Env, readEnv } from '#app/platform/env.server.ts';
import { createLog } from '#app/platform/log/log.ts';
import { openWorkerProbes } from '#app/platform/metrics/worker-probes.ts';
import type { WorkerMessage, WorkerOrder } from '#app/platform/worker-thread.server.ts';
import { startWorkerRuntime, type WorkerRuntime } from '#app/runtime.server.ts';

const EXIT_MS = 9_500;

/** `npm run worker`. Never rejects: a failed start ends the process with one line. */
export async function startWorkerProcess(): Promise<void> {
  const log = createLog({ base: { process: `worker ${process.pid}` } });
  try {
    const env = readEnv();
    const worker = await startWorkerRuntime(env, log);
    const probes = await openProbes(env, worker);
    endOnSignal(log, () => {
      probes?.closeAllConnections();
      probes?.close();
      return worker.close();
    });
    process.stdout.write('The worker is ready: it runs steps until it is stopped.\n');
  } catch (error) {
    const line = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The worker cannot start: ${line.replace(/\s*\n\s*/g, ' ')}\n`);
    process.exit(1);
  }
}

function openProbes({ host, workerPort: port, metricsToken }: Env, { healthy, metrics }: WorkerRuntime) {
  return port === null ? null : openWorkerProbes({ host, port }, { metricsToken, healthy, metrics });
}

function endOnSignal(log: Log, close: () => Promise<void>): void {
  let ending = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (ending) process.exit(1);
      ending = true;
      setTimeout(() => process.exit(1), EXIT_MS).unref();
      close().then(
        () => process.exit(0),
        (error) => {
          log.error('ending failed', { error });
          process.exit(1);
        },
      );
    });
  }
}

/** Loaded early, started once the database is ready; the next message ends it. */
async function runAsThread(port: NonNullable<typeof parentPort>): Promise<void> {
  await once(port, 'message');
  const post = (message: WorkerMessage) => port.postMessage(message);
  /** Somebody in the web server waits for these. */
  const driven = new Set<string>();
  function endsOfDriven(changes: RunChanges, ends: RunEnds): RunEnds {
    const theirs = new Map([...ends].filter(([runId]) => driven.has(runId)));
    for (const [runId, change] of changes) if (change !== 'processing' && change !== 'journal') driven.delete(runId);
    return theirs;
  }
  const worker = await startWorkerRuntime(readEnv(), createLog({ base: { process: 'worker thread' } }), {
    tell: (changes, ends) => post({ kind: 'changed', changes, ends: endsOfDriven(changes, ends) }),
    takes: (workerId) => post({ kind: 'takes', workerId }),
  });
  port.on('message', (order: WorkerOrder) => {
    if (order.kind === 'drive') {
      driven.add(order.run.runId);
      worker.execute(order.run, order.claimed);
    }
    if (order.kind === 'count') post({ kind: 'counted', counts: worker.counts() });
    if (order.kind === 'stop') worker.close().finally(() => process.exit(0));
  });
  post({ kind: 'ready', builtin: worker.builtin });
}

if (!isMainThread && parentPort !== null) await runAsThread(parentPort);
