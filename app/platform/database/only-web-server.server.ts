/**
 * With the account service inside the web server there is one of them: two services that refresh the same session at the same moment
 * would take it for stolen, and end it. A session's advisory lock says who it is, and dies with its connection.
 */
import pg from 'pg';
import type { Log } from '#app/contracts/ports.ts';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';

/** Any number, the same in every process. */
const WEB_SERVER_LOCK = 5_170_117_003;
const RETRY_MS = 2_000;

/**
 * Takes the lock, and takes it again whenever its connection was lost. Throws with one line for the terminal when another server holds it.
 * Returns how to give it back.
 */
export async function becomeOnlyWebServer(owner: DatabaseLogin, log: Log): Promise<() => Promise<void>> {
  let closing = false;
  let retry: NodeJS.Timeout | undefined;
  let held = await takeLock(owner);
  if (held === null)
    throw new Error('another web server runs on the database of DATABASE_URL. Stop it first, or start npm run worker beside it.');

  await refusePooledStatements(owner, held);

  function keep(client: pg.Client): pg.Client {
    client.once('end', () => {
      if (!closing) retry = setTimeout(regain, RETRY_MS);
    });
    return client;
  }
  async function regain(): Promise<void> {
    const client = await takeLock(owner).catch(() => undefined);
    if (client === null) log.error('another web server has taken the database of DATABASE_URL: stop one of the two');
    if (closing) return void (await client?.end());
    if (client) held = keep(client);
    else retry = setTimeout(regain, RETRY_MS);
  }

  keep(held);
  return async () => {
    closing = true;
    clearTimeout(retry);
    await held?.end().catch(() => undefined);
  };
}

/**
 * Behind a pooler that gives each statement whichever session is free, the lock is a stranger's from the next statement on, and a second asker
 * gets the same session and with it the lock.
 */
async function refusePooledStatements(owner: DatabaseLogin, held: pg.Client): Promise<void> {
  const second = await takeLock(owner);
  if (second === null) return;
  // the pooler keeps the session, and with it the lock
  await second.query('select pg_advisory_unlock_all()');
  await Promise.all([held.end(), second.end()]);
  throw new Error(
    'DATABASE_URL leads to a pooler of transactions, which drops LISTEN and advisory locks: use the server itself, or pool sessions.',
  );
}

/** Null: another session holds it. */
async function takeLock(owner: DatabaseLogin): Promise<pg.Client | null> {
  const client = new pg.Client({ ...owner, application_name: 'quorate web server', keepAlive: true });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [WEB_SERVER_LOCK]);
  if (rows[0]?.taken === true) return client;
  await client.end();
  return null;
}
