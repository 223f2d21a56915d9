/** The logins and the schema that the account service needs, as a hosted Supabase project has them. */
import pg from 'pg';
import { changeRoles } from '#app/platform/database/change-roles.server.ts';
import { APP_ROLE, AUTH_ROLE, authLogin, type DatabaseLogin, passwordVerifier } from '#app/platform/database/database-login.server.ts';
import { refuseOtherKey } from '#app/platform/database/migrate.server.ts';

/** The oldest PostgreSQL that the product is tried on. */
export const LEAST_VERSION = 15;
/** Roles belong to the whole server, not to one database. */
const OUR_ROLES = ['anon', 'authenticated', 'service_role', AUTH_ROLE, APP_ROLE, 'quorate_member', 'quorate_worker', 'quorate_directory'];
/** Any number, the same in every process: one at a time makes roles. */
const PREPARE_LOCK = 5_170_117_002;

/** Makes the roles of the data API and of the account service, where they are missing. `password`: a text or what PostgreSQL stores of it. */
export const authRolesSql = (password: string) => `
  do $$ begin
    if not exists (select from pg_roles where rolname = 'anon') then create role anon nologin noinherit; end if;
    if not exists (select from pg_roles where rolname = 'authenticated') then create role authenticated nologin noinherit; end if;
    if not exists (select from pg_roles where rolname = 'service_role') then create role service_role nologin noinherit; end if;
    if not exists (select from pg_roles where rolname = '${AUTH_ROLE}') then create role ${AUTH_ROLE} login noinherit; end if;
  end $$;
  grant anon, authenticated, service_role to ${AUTH_ROLE};
  alter role ${AUTH_ROLE} password ${pg.escapeLiteral(password)};
`;

/**
 * As on hosted Supabase: the schema `auth` belongs to the account service, and the owner may read and reference it; new objects of the
 * owner in `public` are granted to the data API's roles, so that row level security and triggers alone decide.
 */
export function authSchemaSql(database: string, owner: string): string {
  const [name, role] = [pg.escapeIdentifier(database), pg.escapeIdentifier(owner)];
  return `
    create schema if not exists auth authorization ${AUTH_ROLE};
    alter default privileges for role ${AUTH_ROLE} in schema auth grant all on tables to ${role};
    grant create on database ${name} to ${AUTH_ROLE};
    revoke create on schema public from public;
    grant usage on schema public to anon, authenticated, service_role, ${AUTH_ROLE};
    alter default privileges for role ${role} in schema public grant all on tables to anon, authenticated, service_role;
  `;
}

/**
 * Prepares a PostgreSQL of one's own for the account service, as the owner of the database and idempotent. Returns the service's login.
 * Throws with one line for the terminal where the server is too old or the login may not do it.
 */
export async function prepareOwnPostgres(owner: DatabaseLogin, secretKey: string): Promise<DatabaseLogin> {
  const client = new pg.Client({ ...owner, application_name: 'quorate start' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [PREPARE_LOCK]);
    await refuseUnfit(client, owner);
    await refuseOtherKey(client, owner, secretKey);
    const role = pg.escapeIdentifier(owner.user);
    await changeRoles(
      client,
      `${authRolesSql(passwordVerifier('auth', secretKey))}
      grant ${AUTH_ROLE} to ${role};
      ${authSchemaSql(owner.database, owner.user)}
      set local role ${AUTH_ROLE};
      grant usage on schema auth to ${role}, anon, authenticated, service_role`,
    );
  } finally {
    await client.end();
  }
  return authLogin(owner, secretKey);
}

async function refuseUnfit(client: pg.Client, owner: DatabaseLogin): Promise<void> {
  const { rows } = await client.query<{ version: number; makes_roles: boolean; owns: boolean }>(
    `select current_setting('server_version_num')::int / 10000 as version, r.rolcreaterole or r.rolsuper as makes_roles,
       pg_has_role(r.oid, d.datdba, 'usage') as owns
     from pg_roles r, pg_database d where r.rolname = current_user and d.datname = current_database()`,
  );
  const found = rows[0];
  if (found === undefined) throw new Error('DATABASE_URL: the database says nothing of its own login.');
  if (found.version < LEAST_VERSION)
    throw new Error(`DATABASE_URL: the server is PostgreSQL ${found.version}, and ${LEAST_VERSION} or newer is needed.`);
  if (!found.makes_roles || !found.owns)
    throw new Error(
      `DATABASE_URL: ${owner.user} must own the database and be allowed to make roles: ALTER DATABASE ${owner.database} OWNER TO ${owner.user}; ALTER ROLE ${owner.user} CREATEROLE.`,
    );
  await refuseRolesOfOthers(client, owner);
}

/** Since PostgreSQL 16 who may make roles governs those alone that it made: another login may have made ours for another database. */
async function refuseRolesOfOthers(client: pg.Client, owner: DatabaseLogin): Promise<void> {
  const { rows } = await client.query<{ rolname: string }>(
    `select t.rolname from pg_roles t, pg_roles me
     where me.rolname = current_user and not me.rolsuper and current_setting('server_version_num')::int >= 160000
       and t.rolname = any($1) and not pg_has_role(me.oid, t.oid, 'MEMBER WITH ADMIN OPTION') order by t.rolname`,
    [OUR_ROLES],
  );
  if (rows.length === 0) return;
  const roles = rows.map(({ rolname }) => rolname).join(', ');
  throw new Error(`DATABASE_URL: another login made the roles ${roles}: GRANT ${roles} TO ${owner.user} WITH ADMIN OPTION.`);
}
