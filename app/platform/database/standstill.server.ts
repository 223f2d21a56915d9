/** A database that hangs never answers, and its callers would wait forever: their sessions are ended, so that they get an error. */
import pg from 'pg';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';

/** A session in use for longer gives rise to doubt, again and again until it is given back. */
const DOUBT_MS = 4_000;
const ANSWER_MS = 3_000;

/**
 * Guards a session in use until the answered function is called. Nothing happens to a slow one: it ends only when the database gives a new
 * session no answer either. What was asked on it then fails as on any connection that is lost.
 */
export function createStandstillGuard(login: DatabaseLogin): (client: pg.PoolClient) => () => void {
  let probe: Promise<boolean> | undefined;
  const answers = () => {
    probe ??= givesAnswer(login).finally(() => {
      probe = undefined;
    });
    return probe;
  };
  return (client) => {
    let over = false;
    const doubt = setInterval(async () => {
      if ((await answers()) || over || !(client instanceof pg.Client)) return;
      await client.end();
    }, DOUBT_MS);
    return () => {
      over = true;
      clearInterval(doubt);
    };
  };
}

/** Whether the server takes a session or refuses one in words: either way it is there. */
async function givesAnswer(login: DatabaseLogin): Promise<boolean> {
  const client = new pg.Client({ ...login, application_name: 'quorate probe', connectionTimeoutMillis: ANSWER_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    await client.end().catch(() => undefined);
  }
}
