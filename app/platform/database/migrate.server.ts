/**
 * Brings a database to this version: our migrations, the application's login, the queue's schema. Runs as the owner,
 * who on hosted Supabase is no superuser and does not own `auth`; idempotent; one process at a time.
 */
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { changeRoles } from '#app/platform/database/change-roles.server.ts';
import { APP_ROLE, appLogin, type DatabaseLogin, passwordVerifier, processKeyOf } from '#app/platform/database/database-login.server.ts';
import { keepProcessKey } from '#app/platform/database/process-proof.server.ts';
import { admits } from '#app/platform/database/reach-database.server.ts';
import { BASELINE, type Migration, migrationsIn } from '#app/platform/database/schema-version.server.ts';

/** Any number, the same in every process: two starts wait for each other. */
const MIGRATION_LOCK = 5_170_117_001;
/** The oldest schema that `supabase/upgrades` begins from. */
const FIRST_UPGRADED = '20261120181000';
const STATEMENT_TIMEOUT_SECONDS = 30;
const FORGOTTEN_TRANSACTION_SECONDS = 60;
const QUEUE_SCHEMA = 'pgboss';

/** Applies what is missing. Returns the versions applied now. */
export async function migrate(owner: DatabaseLogin, secretKey: string): Promise<string[]> {
  const client = new pg.Client({ ...owner, application_name: 'quorate migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyMigrations(client);
    await refuseOtherKey(client, owner, secretKey);
    await prepareLogin(client, secretKey);
    await keepProcessKey(client, processKeyOf(secretKey));
    await installQueue(owner, client);
    return applied;
  } finally {
    await client.end();
  }
}

async function applyMigrations(client: pg.Client): Promise<string[]> {
  // as Supabase's command line has it, so that either may apply the next one
  await client.query(`
    create schema if not exists supabase_migrations;
    create table if not exists supabase_migrations.schema_migrations (version text primary key, statements text[], name text);
  `);
  const listed = await client.query<{ version: string }>('select version from supabase_migrations.schema_migrations');
  const done = new Set(listed.rows.map((row) => row.version));
  const applied: string[] = [];
  const { rowCount: begun } = await client.query(`select from pg_namespace where nspname = 'quorate'`);
  if (begun && !done.has(BASELINE)) applied.push(...(await upgradeToBaseline(client, done)));
  for (const migration of migrationsIn('migrations')) {
    if (done.has(migration.version)) continue;
    await inTransaction(client, migration, () => apply(client, migration));
    applied.push(migration.version);
  }
  return applied;
}

/**
 * Databases of earlier versions have the baseline's objects from migrations of their own (decision 33). Their list is brought to what it
 * would be had the database begun with the baseline, so that it names no file that is not there.
 */
async function upgradeToBaseline(client: pg.Client, done: Set<string>): Promise<string[]> {
  if (!done.has(FIRST_UPGRADED))
    throw new Error(`The database is older than ${FIRST_UPGRADED}. Start a version of Quorate from 21 November 2026 once, then this one.`);
  const missing = migrationsIn('upgrades').filter(({ version }) => !done.has(version));
  for (const upgrade of missing) await inTransaction(client, upgrade, () => apply(client, upgrade));
  const baseline = migrationsIn('migrations').find(({ version }) => version === BASELINE);
  if (!baseline) throw new Error(`Migration ${BASELINE} is missing.`);
  await inTransaction(client, baseline, async () => {
    // the list is shared with the project's other migrations, which never name our schema
    await client.query(
      `delete from supabase_migrations.schema_migrations where version < $1 and array_to_string(statements, ' ') like '%quorate.%'`,
      [BASELINE],
    );
    await record(client, baseline);
  });
  done.add(BASELINE);
  return missing.map(({ version }) => version);
}

async function inTransaction(client: pg.Client, { file }: Migration, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (cause) {
    await client.query('rollback').catch(() => undefined);
    throw new Error(`Migration ${file} failed: ${cause instanceof Error ? cause.message : 'unknown'}`, { cause });
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query(migration.text);
  await record(client, migration);
}

async function record(client: pg.Client, { version, name, text }: Migration): Promise<void> {
  await client.query('insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)', [
    version,
    name,
    [text],
  ]);
}

/**
 * Another key would lock out the processes that run with the first one, and could not open what that one has sealed. Logins belong to the whole
 * server: with another key, an instance on a second database would lock out the first one's.
 */
export async function refuseOtherKey(client: pg.Client, owner: DatabaseLogin, secretKey: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [APP_ROLE]);
  if (rowCount === 0 || (await admits(appLogin(owner, secretKey)))) return;
  throw new Error('QUORATE_SECRET_KEY is not the one that this database was made with: set that one again, the same in every process.');
}

/** Limits are set on the login and not in the connection's startup parameters, which a pooler may refuse. */
async function prepareLogin(client: pg.Client, secretKey: string): Promise<void> {
  await changeRoles(
    client,
    `alter role ${APP_ROLE} with login password ${pg.escapeLiteral(passwordVerifier('app', secretKey))};
    alter role ${APP_ROLE} set statement_timeout = '${STATEMENT_TIMEOUT_SECONDS}s';
    alter role ${APP_ROLE} set idle_in_transaction_session_timeout = '${FORGOTTEN_TRANSACTION_SECONDS}s'`,
  );
}

/** The queue's tables belong to the owner; the application works with rows of them and never changes their shape. */
async function installQueue(owner: DatabaseLogin, client: pg.Client): Promise<void> {
  const boss = new PgBoss({
    ...owner,
    application_name: 'quorate migrate',
    max: 1,
    schema: QUEUE_SCHEMA,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.stop({ graceful: false, close: true });
  await client.query(`
    grant usage on schema ${QUEUE_SCHEMA} to ${APP_ROLE};
    grant select, insert, update, delete on all tables in schema ${QUEUE_SCHEMA} to ${APP_ROLE};
    grant usage, select, update on all sequences in schema ${QUEUE_SCHEMA} to ${APP_ROLE};
    grant execute on all functions in schema ${QUEUE_SCHEMA} to ${APP_ROLE};
  `);
}
