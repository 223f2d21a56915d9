import pg from 'pg';
import { type Db as BossDatabase, PgBoss } from 'pg-boss';
import type { Log } from '#app/contracts/ports.ts';
import type { RunRef } from '#app/contracts/runs.ts';
import { createFairOrder } from '#app/domain/runs/fair-order.ts';
import type { RunQueue, SendOptions } from '#app/domain/runs/run-queue.ts';
import type { AppLogin } from '#app/platform/database/database-login.server.ts';
import { openSession } from '#app/platform/database/process-proof.server.ts';
import { CONNECTION_BUDGET } from '#app/platform/database/sessions.server.ts';
import { createWorkerPresence } from '#app/platform/queue/worker-presence.server.ts';

/** The one queue: a job is one execution of a run. */
const QUEUE = 'drive_run';
/** A worker touches its runs every few seconds; without that the job comes back (a machine that vanished). */
const HEARTBEAT_SECONDS = 15;
const KEEP_DONE_SECONDS = 900;
const EXPIRE_SECONDS = 86_400;
const COUNT_FOR_MS = 1_000;
const MAX_RETRIES = 1_000_000;

export type RunQueueOptions = {
  /** The application's login to the database whose schema `pgboss` the migrations made. */
  connection: AppLogin;
  log: Log;
  /** Deletes old jobs and brings back those without a heartbeat: in processes that work. */
  supervise: boolean;
  maxConnections?: number;
};

/** pg-boss as the port's queue. Its own pool, so that neither requests nor steps wait for it. */
export async function createRunQueue({
  connection,
  log,
  supervise,
  maxConnections = supervise ? CONNECTION_BUDGET.queue : 2,
}: RunQueueOptions): Promise<RunQueue> {
  const { processKey, ...login } = connection;
  const pool = new pg.Pool({
    ...login,
    max: maxConnections,
    application_name: 'quorate queue',
    onConnect: (client) => openSession(client, processKey),
  });
  pool.on('error', (error) => log.warn('queue connection lost', { code: codeOf(error) }));
  const prepare = createPreparer();
  const database: BossDatabase = { executeSql: (text, values) => pool.query(prepare(text, values ?? [])) };
  const boss = await startBoss({ database, log, supervise });
  const line = createLine(pool);

  async function send(runs: readonly RunRef[], options: SendOptions = {}): Promise<void> {
    await line.refresh();
    if (options.startAfter !== undefined) return sendForLater(runs, options, options.startAfter.toISOString());
    const columns = [
      runs.map((run) => run.workspaceId),
      runs.map((run) => run.runId),
      runs.map((run) => line.placeOf(run.workspaceId, options)),
    ];
    // a function of ours: a member's transaction has no right on pg-boss's tables. It notifies, which is heard on commit
    await (options.within ?? database.executeSql)('select quorate.send_run_jobs($1, $2, $3)', columns);
  }

  /** The poll finds these. */
  async function sendForLater(runs: readonly RunRef[], options: SendOptions, startAfter: string): Promise<void> {
    // pg-boss fetches the highest first
    const jobs = runs.map((data) => ({ data: { ...data }, priority: -line.placeOf(data.workspaceId, options), startAfter }));
    await boss.insert(QUEUE, jobs, { returnId: false });
  }

  return {
    send,
    placeStart: async (workspaceId) => {
      await line.refresh();
      return line.placeOf(workspaceId, { starts: true });
    },
    countQueued: line.countQueued,
    peek: line.readHead,
    fetch: async (max, place) => {
      const only = place === undefined ? {} : { minPriority: -place, maxPriority: -place };
      const jobs = await boss.fetch<RunRef>(QUEUE, { batchSize: max, ...only });
      return jobs.map((job) => ({ jobId: job.id, runId: job.data.runId, workspaceId: job.data.workspaceId }));
    },
    // sorted: two batches that touch the same rows then lock them in the same order
    complete: async (jobIds) => void (await boss.complete(QUEUE, [...jobIds].sort())),
    touch: async (jobIds) => void (await boss.touch(QUEUE, [...jobIds].sort())),
    join: (workerId, onWake) => createWorkerPresence({ connection, workerId, onWake, log }),
    renew: async (workerId) => {
      const { rows } = await pool.query<{ held: boolean }>('select quorate.renew_lease($1) as held', [workerId]);
      return rows[0]?.held ?? false;
    },
    listLost: async (workerId) => {
      const { rows } = await pool.query<{ worker_id: string }>('select worker_id from quorate.list_lost_workers($1)', [workerId]);
      return rows.map((row) => row.worker_id);
    },
    takeOver: (lostWorkerId) => takeOver(pool, lostWorkerId, send),
    stop: async () => {
      await boss.stop({ graceful: false, close: true });
      await pool.end();
    },
  };
}

async function startBoss({ database, log, supervise }: { database: BossDatabase; log: Log; supervise: boolean }): Promise<PgBoss> {
  const boss = new PgBoss({
    db: database,
    schema: 'pgboss',
    migrate: false,
    createSchema: false,
    schedule: false,
    supervise,
    reindex: false,
    monitorVacuum: false,
    monitorIntervalSeconds: 5,
    superviseIntervalSeconds: 5,
    maintenanceIntervalSeconds: 300,
    queueCacheIntervalSeconds: 60,
  });
  boss.on('error', (error) => log.warn('queue error', { code: codeOf(error), reason: error.message.slice(0, 200) }));
  boss.on('warning', (warning) => log.warn('queue warning', { reason: warning.message.slice(0, 200) }));
  await boss.start();
  await boss.createQueue(QUEUE, {
    heartbeatSeconds: HEARTBEAT_SECONDS,
    retryLimit: MAX_RETRIES,
    retryDelay: 0,
    expireInSeconds: EXPIRE_SECONDS,
    deleteAfterSeconds: KEEP_DONE_SECONDS,
    retentionSeconds: 366 * EXPIRE_SECONDS,
  });
  return boss;
}

/** The jobs that are ready, in their order, and the place in it of whatever comes. */
function createLine(pool: pg.Pool) {
  const order = createFairOrder();
  /** By pg-boss's own index of what is ready, in its own order. */
  async function readHead(max: number): Promise<{ workspaceId: string; place: number }[]> {
    const { rows } = await pool.query<{ place: number; workspace_id: string }>({
      name: 'q_head',
      text: `select -priority as place, data ->> 'workspaceId' as workspace_id from pgboss.job
        where name = '${QUEUE}' and state < 'active' and not blocked and start_after <= now() order by priority desc, created_on limit $1`,
      values: [max],
    });
    return rows.map((row) => ({ place: row.place, workspaceId: row.workspace_id }));
  }

  /** One look for all runs that start at this moment. */
  let reading: Promise<void> | undefined;
  async function reportHead(): Promise<void> {
    try {
      order.report((await readHead(1))[0]?.place ?? null, performance.now());
    } finally {
      reading = undefined;
    }
  }

  const placeOf = (workspaceId: string, options: SendOptions) =>
    options.starts ? order.start(workspaceId) : options.readmits ? order.readmit(workspaceId) : order.resume(workspaceId);

  async function refresh(): Promise<void> {
    if (order.isFresh(performance.now())) return;
    reading ??= reportHead();
    await reading;
  }

  let counted = { at: Number.NEGATIVE_INFINITY, queued: 0 };
  /** By pg-boss's own count, which processes that work renew every few seconds. */
  async function countQueued(): Promise<number> {
    if (performance.now() - counted.at < COUNT_FOR_MS) return counted.queued;
    // others who ask meanwhile have the last count
    counted = { ...counted, at: performance.now() };
    const { rows } = await pool.query<{ queued: number }>({
      name: 'q_count',
      text: `select queued_count as queued from pgboss.queue where name = '${QUEUE}'`,
    });
    counted.queued = rows[0]?.queued ?? 0;
    return counted.queued;
  }

  return { readHead, refresh, placeOf, countQueued };
}

async function takeOver(pool: pg.Pool, lostWorkerId: string, send: RunQueue['send']): Promise<number> {
  const client = await pool.connect();
  // a database that stops says so to a session that asks nothing, too: unheard, it would end the whole thread
  client.on('error', ignore);
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const { rows } = await client.query<{ run_id: string; workspace_id: string }>(
      'select run_id, workspace_id from quorate.release_lost_worker($1)',
      [lostWorkerId],
    );
    const runs = rows.map((row) => ({ runId: row.run_id, workspaceId: row.workspace_id }));
    if (runs.length > 0) await send(runs, { within: (text, values) => client.query(text, [...values]) });
    await client.query('commit');
    return runs.length;
  } catch (error) {
    broken = error instanceof Error ? error : new Error('take over failed');
    throw error;
  } finally {
    client.removeListener('error', ignore);
    // a connection whose transaction failed is closed, which rolls it back
    client.release(broken);
  }
}

/** The statement under way, or the next one, fails with the same error. */
const ignore = () => undefined;

const MAX_PREPARED = 20;

/**
 * Prepares what comes again and again with other values: a completion takes as long to plan as to do. Not the fetch, which has
 * no values: a plan kept from when the queue was empty would walk through all that is done.
 */
function createPreparer(): (text: string, values: readonly unknown[]) => pg.QueryConfig {
  const seen = new Map<string, number>();
  return (text, values) => {
    const number = seen.get(text);
    if (number === undefined && seen.size < MAX_PREPARED && values.length > 0) seen.set(text, seen.size);
    return number === undefined ? { text, values: [...values] } : { name: `b${number}`, text, values: [...values] };
  };
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
