import pg from 'pg';
import type { Log } from '#app/contracts/ports.ts';
import { RUN_CHANNEL } from '#app/domain/runs/run-queue.ts';

const RECONNECT_FIRST_MS = 50;
const RECONNECT_MAX_MS = 2_000;

export type WorkerPresenceOptions = { connection: pg.PoolConfig; workerId: string; onWake: () => void; log: Log };

/**
 * A session of its own that holds the worker's advisory lock and listens. The lock dies with the session, which is how the
 * others learn that a worker was killed; a machine that vanished is noticed by the keepalives, after about 15 s.
 */
export async function createWorkerPresence({
  connection,
  workerId,
  onWake,
  log,
}: WorkerPresenceOptions): Promise<{ leave(): Promise<void> }> {
  let client: pg.Client | null = null;
  let left = false;
  let timer: NodeJS.Timeout | undefined;
  let delay = RECONNECT_FIRST_MS;

  async function connect(): Promise<void> {
    const next = new pg.Client({ ...connection, application_name: 'quorate worker', keepAlive: true });
    let over = false;
    const lost = () => {
      if (over) return;
      over = true;
      if (client === next) client = null;
      next.end().catch(() => undefined);
      if (!left) reconnect();
    };
    next.on('error', lost);
    next.on('end', lost);
    next.on('notification', onWake);
    try {
      await next.connect();
      await next.query(`set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 3; set tcp_keepalives_count = 3`);
      // waits where the server still believes in the session that was lost
      await next.query('select pg_advisory_lock(quorate.worker_lock($1))', [workerId]);
      await next.query(`listen ${RUN_CHANNEL}`);
    } catch (error) {
      over = true;
      next.end().catch(() => undefined);
      throw error;
    }
    if (left) {
      over = true;
      await next.end();
      return;
    }
    client = next;
    delay = RECONNECT_FIRST_MS;
    onWake();
  }

  function reconnect(): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      connect().catch((error: unknown) => {
        log.warn('worker session not open yet', { workerId, reason: error instanceof Error ? error.message.slice(0, 200) : '' });
        delay = Math.min(RECONNECT_MAX_MS, delay * 2);
        if (!left) reconnect();
      });
    }, delay);
  }

  await connect();
  return {
    async leave() {
      left = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
      client = null;
    },
  };
}
