/** Makes the cluster, and in it the logins and the database as a hosted Supabase project has them. */
import { spawn } from 'node:child_process';
import { hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { AUTH_ROLE, type DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { authRolesSql, authSchemaSql } from '#app/platform/embedded/auth-roles.server.ts';
import { type Placement, unprivilegedAccount } from '#app/platform/embedded/postgres-account.server.ts';
import { postgresEnvironment } from '#app/platform/embedded/postgres-binaries.server.ts';

const MAJOR_VERSION = '17';
const SUPERUSER = 'supabase_admin';
const OWNER = 'postgres';
const DRAFT = '.init';

/**
 * initdb beside its place, then a rename: a kill in the middle leaves nothing half-made. Each try has a folder of its own: the initdb of a
 * server that was killed continues for a moment, and clears away its folder when it fails.
 */
export async function createCluster(placement: Placement, password: string): Promise<void> {
  removeLeftDrafts(placement.cluster);
  const version = join(placement.cluster, 'PG_VERSION');
  if (existsSync(version)) {
    const found = readFileSync(version, 'utf8').trim();
    if (found !== MAJOR_VERSION)
      throw new Error(
        `The data in ${placement.cluster} is of PostgreSQL ${found}, this program brings ${MAJOR_VERSION}: back it up with the version that wrote it and restore it here.`,
      );
    return;
  }
  const draft = `${placement.cluster}${DRAFT}.${randomBytes(6).toString('hex')}`;
  const passwordFile = `${draft}-password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (placement.account) chownSync(passwordFile, placement.account.uid, placement.account.gid);
  try {
    await runWithLetters(placement, [
      '-D',
      draft,
      '-U',
      SUPERUSER,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--data-checksums',
      '--no-instructions',
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  renameSync(draft, placement.cluster);
}

function removeLeftDrafts(cluster: string): void {
  for (const name of readdirSync(dirname(cluster))) {
    if (!name.startsWith(`${basename(cluster)}${DRAFT}`)) continue;
    try {
      rmSync(join(dirname(cluster), name), { recursive: true, force: true });
    } catch {
      // an initdb left behind still writes into it: it does no harm, and the next start clears it
    }
  }
}

/** Names under which systems know the letters of every script, from glibc to macOS; C knows those of English. */
const LETTERS = ['C.UTF-8', 'en_US.UTF-8', 'C'];

/**
 * Trigrams are made of what the operating system calls a letter (the builtin provider is not asked): with C a search forgives no
 * typing error in Arabic or Hebrew. Order and case stay with the builtin locale, which is the same on every system.
 */
async function runWithLetters(placement: Placement, args: string[]): Promise<void> {
  for (const letters of LETTERS) {
    try {
      return await run(placement, [...args, `--lc-ctype=${letters}`]);
    } catch (error) {
      const unknown = error instanceof Error && /locale/i.test(error.message);
      if (!unknown || letters === LETTERS.at(-1)) throw error;
    }
  }
}

/** initdb asks for the name of its account, which one has that a container made up (its number stands in no list). */
const NAMELESS = /could not look up effective user ID/;

/** Where the kernel lets it, the account appears under a number that has a name; the files are its own either way. */
async function run(placement: Placement, args: string[]): Promise<void> {
  const { initdb } = placement.binaries;
  try {
    await runProgram(placement, initdb, args);
  } catch (error) {
    if (!(error instanceof Error && NAMELESS.test(error.message)) || process.platform !== 'linux') throw error;
    const { uid, gid } = unprivilegedAccount();
    const mapped = ['--user', `--map-user=${uid}`, `--map-group=${gid}`, initdb, ...args];
    await runProgram(placement, 'unshare', mapped).catch((cause: unknown) => {
      const own = placement.account?.uid ?? process.getuid?.();
      throw new Error(
        `The embedded database cannot be made by an account without a name: uid ${own} is not in /etc/passwd. Add a line for it there, run as an account that has one, or set DATABASE_URL.`,
        { cause },
      );
    });
  }
}

async function runProgram(placement: Placement, program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, {
    ...(placement.account ?? {}),
    cwd: placement.root,
    env: postgresEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2_000);
  });
  // a missing program is reported by an error event, which `once` throws
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`The embedded database could not be made (initdb ended with ${signal ?? code}): ${output.trim()}`);
}

const derived = (password: string, login: string) =>
  Buffer.from(hkdfSync('sha256', password, '', `quorate embedded login ${login}`, 32)).toString('base64url');

/** Login of the superuser, to the database that every cluster has. */
export const superuserLogin = (address: { host: string; port: number }, password: string): DatabaseLogin => ({
  host: address.host,
  port: address.port,
  database: 'postgres',
  user: SUPERUSER,
  password,
});

/**
 * Logins, roles and the database, idempotent. The owner has what `postgres` has on hosted Supabase (no superuser, not
 * owner of `auth`), so that what runs here runs there. The auth service owns its own schema and nothing else: whatever
 * it grants at its start, it cannot grant what is not its own.
 */
export async function prepareCluster(
  address: { host: string; port: number },
  password: string,
  database: string,
): Promise<{ owner: DatabaseLogin; auth: DatabaseLogin; superuser: DatabaseLogin }> {
  const login = (user: string, secret: string): DatabaseLogin => ({
    host: address.host,
    port: address.port,
    database,
    user,
    password: secret,
  });
  const owner = login(OWNER, derived(password, OWNER));
  const auth = login(AUTH_ROLE, derived(password, AUTH_ROLE));
  await withClient(superuserLogin(address, password), async (client) => {
    await client.query(`
      ${authRolesSql(auth.password)}
      do $$ begin
        if not exists (select from pg_roles where rolname = '${OWNER}') then create role ${OWNER} login createdb createrole bypassrls; end if;
      end $$;
      alter role service_role bypassrls;
      grant anon, authenticated, service_role to ${OWNER} with admin option;
      alter role ${OWNER} password ${pg.escapeLiteral(owner.password)};
    `);
    const found = await client.query('select from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)} owner ${OWNER} template template0`);
  });
  const superuser = login(SUPERUSER, password);
  await withClient(superuser, prepareDatabase);
  return { owner, auth, superuser };
}

async function prepareDatabase(client: pg.Client): Promise<void> {
  await client.query(`
    ${authSchemaSql(client.database ?? '', OWNER)}
    grant usage on schema auth to ${OWNER}, anon, authenticated, service_role;
    alter role ${AUTH_ROLE} set log_min_messages = 'error';
    alter role ${AUTH_ROLE} set client_min_messages = 'error';
  `);
}

async function withClient(login: DatabaseLogin, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(login);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
