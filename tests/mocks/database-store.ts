/** Users and sessions where the product's migrations look for them, and profiles as row level security and triggers allow. */
import pg from 'pg';
import type { DataCaller, DataFailure, MockStore, ProfileRow } from '#tests/mocks/mock-types.ts';

/**
 * What migrations refer to of a hosted project's schema `auth`, and nothing else of it. Run by its owner, the auth service's login.
 */
export const AUTH_TABLES = `
  create table if not exists auth.users (
    id uuid primary key, aud text, role text, email text unique, email_confirmed_at timestamptz,
    raw_user_meta_data jsonb, created_at timestamptz not null default now()
  );
  create table if not exists auth.sessions (
    id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade,
    created_at timestamptz not null default now(), updated_at timestamptz, not_after timestamptz, aal text
  );
  create table if not exists auth.mfa_factors (
    id uuid primary key, user_id uuid not null references auth.users (id) on delete cascade,
    friendly_name text, factor_type text not null, status text not null, created_at timestamptz not null default now()
  );
  create or replace function auth.uid() returns uuid language sql stable
    as $$ select (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
  grant execute on function auth.uid() to anon, authenticated, service_role;
`;

const STATUS_OF_STATE: Record<string, number> = { '42501': 403, '23505': 409, '23503': 409, '42703': 400 };

/** @param owner connections as the database's owner, who may write `auth` and become the data API's roles */
export function createDatabaseStore(owner: pg.Pool): MockStore {
  async function asCaller<T>(caller: DataCaller, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await owner.connect();
    try {
      await client.query(`begin; set local role ${caller === null ? 'anon' : 'authenticated'}`);
      const claims = caller === null ? { role: 'anon' } : { sub: caller.userId, session_id: caller.sessionId, role: 'authenticated' };
      await client.query(`select set_config('request.jwt.claims', $1, true)`, [JSON.stringify(claims)]);
      const result = await work(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  return {
    async keepUser(user) {
      await owner.query(
        `insert into auth.users (id, aud, role, email, email_confirmed_at) values ($1, 'authenticated', 'authenticated', $2, $3)
         on conflict (id) do update set email = excluded.email, email_confirmed_at = excluded.email_confirmed_at`,
        [user.id, user.email, user.confirmedAt],
      );
      await owner.query('delete from auth.mfa_factors where user_id = $1 and id <> all ($2::uuid[])', [
        user.id,
        user.factors.map(({ id }) => id),
      ]);
      for (const { id, friendlyName, status, createdAt } of user.factors)
        await owner.query(
          `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at) values ($1, $2, $3, 'totp', $4, $5)
           on conflict (id) do update set status = excluded.status`,
          [id, user.id, friendlyName, status, createdAt],
        );
    },
    async factorIds(userId) {
      const { rows } = await owner.query<{ id: string }>('select id from auth.mfa_factors where user_id = $1', [userId]);
      return rows.map(({ id }) => id);
    },
    async removeUser(userId) {
      await owner.query('delete from auth.users where id = $1', [userId]);
    },
    async keepSession(session) {
      await owner.query('insert into auth.sessions (id, user_id) values ($1, $2) on conflict (id) do nothing', [
        session.id,
        session.userId,
      ]);
    },
    async endSessions(ids) {
      await owner.query('delete from auth.sessions where id = any ($1::uuid[])', [ids]);
    },
    readProfile: (caller, userId) =>
      asCaller(
        caller,
        async (client) => (await client.query<ProfileRow>('select * from public.profiles where id = $1', [userId])).rows[0] ?? null,
      ),
    async upsertProfile(caller, row) {
      const columns = Object.keys(row);
      const names = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const places = columns.map((_, at) => `$${at + 1}`).join(', ');
      const changes = columns.map((column) => `${pg.escapeIdentifier(column)} = excluded.${pg.escapeIdentifier(column)}`).join(', ');
      const text = `insert into public.profiles (${names}) values (${places}) on conflict (id) do update set ${changes} returning *`;
      try {
        const [kept] = await asCaller(caller, async (client) => (await client.query<ProfileRow>(text, Object.values(row))).rows);
        if (kept === undefined) throw new Error('an upsert answered no row');
        return kept;
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

function failureOf(error: unknown): DataFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const status = STATUS_OF_STATE[code];
  if (status === undefined) throw error;
  return { status, code, message: error instanceof Error ? error.message : '' };
}
