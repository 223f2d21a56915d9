import type pg from 'pg';

/** Starts on one server at the same moment are few, and each attempt waits for the one it met. */
const ATTEMPTS = 50;

/**
 * Runs statements that change roles, in one transaction. Roles belong to the whole server, while locks of the application reach one database:
 * a start on another database may change the same role at the same moment. PostgreSQL then refuses the second one, which is repeated.
 */
export async function changeRoles(client: pg.Client, statements: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`begin; ${statements}; commit`);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (attempt === ATTEMPTS || !metAnother(error)) throw error;
    }
  }
}

/** PostgreSQL has no code of its own for this, and its words may be translated: the place in its source is what tells it. */
function metAnother(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'XX000' && 'routine' in error && /^simple_heap_(update|delete)$/.test(String(error.routine));
}
