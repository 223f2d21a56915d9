/**
 * Brings a database to this version: our migrations, the application's login, the queue's schema. Runs as the owner,
 * who on hosted Supabase is no superuser and does not own `auth`; idempotent; one process at a time.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { APP_ROLE, appLogin, type DatabaseLogin, passwordVerifier } from '#app/platform/database/database-login.server.ts';
import { admits } from '#app/platform/database/reach-database.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';

/** Any number, the same in every process: two starts wait for each other. */
const MIGRATION_LOCK = 5_170_117_001;
const STATEMENT_TIMEOUT_SECONDS = 30;
const FORGOTTEN_TRANSACTION_SECONDS = 60;
const QUEUE_SCHEMA = 'pgboss';

/** Applies what is missing. Answers the versions applied now. */
export async function migrate(owner: DatabaseLogin, secretKey: string): Promise<string[]> {
  const client = new pg.Client({ ...owner, application_name: 'quorate migrate' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const applied = await applyMigrations(client);
    await refuseOtherKey(client, owner, secretKey);
    await prepareLogin(client, secretKey);
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
  const done = new Set(
    (await client.query<{ version: string }>('select version from supabase_migrations.schema_migrations')).rows.map((row) => row.version),
  );
  const applied: string[] = [];
  const directory = join(projectRoot(), 'supabase', 'migrations');
  for (const file of readdirSync(directory).sort()) {
    const [, version, name] = /^(\d{14})_(\w+)\.sql$/.exec(file) ?? [];
    if (!version || done.has(version)) continue;
    const text = readFileSync(join(directory, file), 'utf8');
    await client.query('begin');
    try {
      await client.query(text);
      await client.query('insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)', [
        version,
        name,
        [text],
      ]);
      await client.query('commit');
    } catch (cause) {
      await client.query('rollback').catch(() => undefined);
      throw new Error(`Migration ${file} failed: ${cause instanceof Error ? cause.message : 'unknown'}`, { cause });
    }
    applied.push(version);
  }
  return applied;
}

/** Another key would lock out the processes that run with the first one, and could not open what that one has sealed. */
async function refuseOtherKey(client: pg.Client, owner: DatabaseLogin, secretKey: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [APP_ROLE]);
  if (rowCount === 0 || (await admits(appLogin(owner, secretKey)))) return;
  throw new Error('QUORATE_SECRET_KEY is not the one that this database was made with: set that one again, the same in every process.');
}

/** Limits stand on the login and not in the connection's first words, which a pooler may refuse. */
async function prepareLogin(client: pg.Client, secretKey: string): Promise<void> {
  await client.query(`
    alter role ${APP_ROLE} with login password ${pg.escapeLiteral(passwordVerifier('app', secretKey))};
    alter role ${APP_ROLE} set statement_timeout = '${STATEMENT_TIMEOUT_SECONDS}s';
    alter role ${APP_ROLE} set idle_in_transaction_session_timeout = '${FORGOTTEN_TRANSACTION_SECONDS}s';
  `);
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
