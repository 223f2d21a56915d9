/** Sessions of the application's login, lent one at a time: for a transaction as one principal, or for a single statement. */
import pg from 'pg';
import type { Log } from '#app/contracts/ports.ts';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import { isConnectionLoss, isStalePlan } from '#app/platform/database/database-errors.server.ts';
import type { AppLogin } from '#app/platform/database/database-login.server.ts';
import { openSession } from '#app/platform/database/process-proof.server.ts';
import { createStandstillGuard } from '#app/platform/database/standstill.server.ts';
import { type Db, openTransactionDb } from '#app/platform/database/transaction-dialect.server.ts';

/**
 * Connections that one process may hold: what people wait for and what runs wait for are apart, so that neither starves
 * the other. The queue's pool (`queueConnection`) and one LISTEN come on top: 19 a process, and 4 of the embedded auth
 * service. The embedded database takes 100; a session pooler's limit must hold all processes together.
 */
export const CONNECTION_BUDGET = { member: 8, worker: 6, queue: 4, listen: 1 } as const;
const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_TIMEOUT_MS = 60_000;

export function openSessions({ login: { processKey, ...login }, log }: { login: AppLogin; log: Log }) {
  const common: pg.PoolConfig = {
    ...login,
    types: columnTypes,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
  };
  const memberPool = new pg.Pool({
    ...common,
    max: CONNECTION_BUDGET.member,
    application_name: 'quorate',
    onConnect: (client) => openSession(client, processKey),
  });
  const workerPool = new pg.Pool({
    ...common,
    max: CONNECTION_BUDGET.worker,
    application_name: 'quorate worker',
    // Everything here finds rows by their keys: planning each call for its values again costs more than the call.
    onConnect: async (client) => {
      await openSession(client, processKey);
      await client.query('set role quorate_worker; set plan_cache_mode = force_generic_plan');
    },
  });
  for (const pool of [memberPool, workerPool]) {
    // an idle connection that the server closed: the pool makes another; without a handler the process would end
    pool.on('error', (error) => log.warn('an idle database connection was lost', { reason: error.message }));
  }
  const guardSession = createStandstillGuard(login);

  /**
   * Lends a session to `work`. `undo` runs after an error on a session that is not lost. An error event that nobody listens to would end the
   * process: the statement under way fails as well, so its caller is told.
   */
  async function inSession<T>(
    pool: pg.Pool,
    work: (client: pg.PoolClient) => Promise<T>,
    undo?: (client: pg.PoolClient) => Promise<unknown>,
  ): Promise<T> {
    const client = await pool.connect();
    // Nobody waits for a worker's statements, which continue with the database.
    const endGuard = pool === memberPool ? guardSession(client) : () => undefined;
    let broken = false;
    const lost = () => {
      broken = true;
    };
    client.on('error', lost);
    try {
      return await work(client);
    } catch (error) {
      if (isConnectionLoss(error) || isStalePlan(error)) broken = true;
      else await undo?.(client).catch(lost);
      throw error;
    } finally {
      endGuard();
      client.off('error', lost);
      client.release(broken);
    }
  }

  /** `open` begins the transaction and becomes the principal in one round trip; its last result is handed to `work`. */
  const transact = <T>(
    pool: pg.Pool,
    open: (client: pg.PoolClient) => Promise<pg.QueryResult>,
    work: (db: Db, opened: pg.QueryResult) => Promise<T>,
  ): Promise<T> =>
    inSession(
      pool,
      async (client) => {
        const opened = await open(client);
        const { db, end } = openTransactionDb(client);
        const result = await work(db, opened).finally(end);
        await client.query('commit');
        return result;
      },
      (client) => client.query('rollback'),
    );

  /** Unlike `pool.query`, which closes the connection after any error: a refusal would cost the next caller a new one. */
  const single = (statement: pg.QueryConfig) => inSession(memberPool, (client) => client.query(statement));

  return {
    memberPool,
    workerPool,
    transact,
    single,
    end: async () => void (await Promise.all([memberPool.end(), workerPool.end()])),
  };
}
