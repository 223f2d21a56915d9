import pg from 'pg';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';

/**
 * At each start the auth service grants everything, in every schema that has row level security, to `anon` and
 * `authenticated`. It cannot: it owns none of it. PostgreSQL answers that with a warning where the grantor holds any
 * privilege at all, and with an error, which stops the service, where it holds none. REFERENCES is the one that reads and
 * writes nothing. It also lets the service see that public.profiles exists.
 */
export async function admitAuthService(owner: DatabaseLogin, authUser: string): Promise<void> {
  const client = new pg.Client(owner);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const schemas = await client.query<{ name: string }>(
      `select distinct n.nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relrowsecurity and pg_has_role(n.nspowner, 'usage')`,
    );
    const to = pg.escapeIdentifier(authUser);
    for (const { name } of schemas.rows) {
      const schema = pg.escapeIdentifier(name);
      await client.query(`
        grant usage on schema ${schema} to ${to};
        grant references on all tables in schema ${schema} to ${to};
        grant usage on all sequences in schema ${schema} to ${to};
      `);
    }
  } finally {
    await client.end();
  }
}
