/** The one line of a start that cannot enter its database: within seconds, and without a password in it. */
import pg from 'pg';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/** PostgreSQL, appendix A: the login is refused. A pooler says so with the second. */
const LOGIN_REFUSED = new Set(['28P01', '28000']);

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null);

/** Whether the database lets this login in; throws with one line when it does not answer, or answers something else. */
export async function admits(login: DatabaseLogin): Promise<boolean> {
  const client = new pg.Client({ ...login, application_name: 'quorate start', connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (cause) {
    const code = codeOf(cause);
    if (code !== null && LOGIN_REFUSED.has(code)) return false;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : code;
    throw new Error(`DATABASE_URL: no database can be reached at ${login.host}:${login.port} (${reason}).`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}
