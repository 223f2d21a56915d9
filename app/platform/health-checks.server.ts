import { existsSync, readFileSync } from 'node:fs';
import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { loginFromUrl } from '#app/platform/database/database-login.server.ts';
import { knownMigrations, newerSchema, unknownMigrations } from '#app/platform/database/schema-version.server.ts';
import { findPostgresBinaries } from '#app/platform/embedded/postgres-binaries.server.ts';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { attachEmbeddedPostgres } from '#app/platform/embedded/postgres-server.server.ts';
import { type Env, EnvError, readEnv } from '#app/platform/env.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';

/** One finding: the thing checked, the result, and the remedy when it is not well. */
export type Finding = { name: string; state: 'ok' | 'attention' | 'problem'; found: string; remedy?: string };

const NODE_MAJOR = 24;
const LOW_DISK_BYTES = 1_000_000_000;
const CLOCK_SKEW_MS = 5_000;

const BACKEND_NAMES = { embedded: 'embedded database', postgres: 'a PostgreSQL of your own', supabase: 'Supabase' } as const;

const ok = (name: string, found: string): Finding => ({ name, state: 'ok', found });
const attention = (name: string, found: string, remedy: string): Finding => ({ name, state: 'attention', found, remedy });
const problem = (name: string, found: string, remedy: string): Finding => ({ name, state: 'problem', found, remedy });

/** Looks at everything that a start needs, and changes nothing but to make the data directory. */
export async function checkHealth(): Promise<Finding[]> {
  const findings = [checkNode(), checkPackages()];
  let env: Env;
  try {
    env = readEnv();
    findings.push(ok('Settings', `${BACKEND_NAMES[env.backend.mode]}, ${env.origin}`));
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    return [
      ...findings,
      problem('Settings', error.message.replace(/^Settings: |\.$/g, ''), 'correct the setting; .env.example names them all'),
    ];
  }
  findings.push(
    await checkDirectory(env),
    await checkDisk(env),
    await checkAnswer(env),
    await checkPort(env),
    ...(await checkDatabase(env)),
  );
  findings.push(await checkAuth(env), checkKeys(env));
  return findings;
}

function checkNode(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  if (major === NODE_MAJOR) return ok('Node', process.version);
  return problem('Node', process.version, `run npm ci, which brings Node ${NODE_MAJOR}, and start with npm`);
}

function checkPackages(): Finding {
  const manifest = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8')) as { dependencies: Record<string, string> };
  const wrong = Object.entries(manifest.dependencies).filter(([name, version]) => installedVersion(name) !== version);
  if (wrong.length === 0) return ok('Packages', `${Object.keys(manifest.dependencies).length} as package.json names them`);
  return problem(
    'Packages',
    `${wrong.length} differ: ${wrong
      .map(([name]) => name)
      .slice(0, 3)
      .join(', ')}`,
    'run npm ci',
  );
}

function installedVersion(name: string): string | undefined {
  const file = join(projectRoot(), 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined;
}

async function checkDirectory(env: Env): Promise<Finding> {
  try {
    await mkdir(env.dataDir, { recursive: true, mode: 0o700 });
    await access(env.dataDir, constants.R_OK | constants.W_OK);
    return ok('Data directory', env.dataDir);
  } catch {
    return problem('Data directory', `${env.dataDir} cannot be written`, 'give this account the directory, or set QUORATE_DATA_DIR');
  }
}

async function checkDisk(env: Env): Promise<Finding> {
  const { bavail, bsize } = await statfs(env.dataDir);
  const free = bavail * bsize;
  const words = `${(free / 1e9).toFixed(1)} GB free`;
  return free < LOW_DISK_BYTES ? attention('Disk', words, 'make room: at the end of it nothing can be saved') : ok('Disk', words);
}

/** Whether a server of this data directory answers. */
async function checkAnswer(env: Env): Promise<Finding> {
  const status = await statusOf(env);
  if (status === 200) return ok('Server', `answers on port ${env.port}`);
  if (status === null) return attention('Server', `nothing answers on port ${env.port}`, 'start it with npm start');
  return problem('Server', `answers ${status} to /healthz`, 'look at its log');
}

async function statusOf(env: Env): Promise<number | null> {
  const host = env.host === '0.0.0.0' || env.host === '::' ? '127.0.0.1' : env.host;
  const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${env.port}/healthz`, {
    signal: AbortSignal.timeout(3_000),
  }).catch(() => null);
  return answer?.status ?? null;
}

async function checkPort(env: Env): Promise<Finding> {
  if ((await statusOf(env)) !== null) return ok('Port', `${env.port}, in use by the server that answers`);
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(env.port, env.host, () => server.close(() => resolve(true)));
  });
  return free ? ok('Port', `${env.port} is free`) : problem('Port', `${env.port} is taken by another program`, 'set PORT to another one');
}

async function checkDatabase(env: Env): Promise<Finding[]> {
  let login: pg.ClientConfig;
  if (env.backend.mode === 'embedded') {
    try {
      findPostgresBinaries();
    } catch (error) {
      return [problem('Database', error instanceof Error ? error.message : String(error), 'set DATABASE_URL to a PostgreSQL of your own')];
    }
    try {
      const password = readFileSync(join(env.dataDir, 'database-password'), 'utf8').trim();
      const address = attachEmbeddedPostgres({ dataDir: env.dataDir });
      login = { ...superuserLogin(address, password), database: address.database };
    } catch {
      return [attention('Database', 'its programs are here; it runs while the server does', 'start the server to look further')];
    }
  } else login = loginFromUrl(env.backend.databaseUrl);
  const client = new pg.Client({ ...login, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ version: string; now: Date }>(
      "select current_setting('server_version') as version, clock_timestamp() as now",
    );
    const migrations = await client
      .query<{ version: string }>('select version from supabase_migrations.schema_migrations')
      .catch(() => null);
    const skew = Math.abs((rows[0]?.now.getTime() ?? 0) - Date.now());
    return [
      ok('Database', `PostgreSQL ${rows[0]?.version}`),
      checkMigrations(migrations?.rows.map((row) => row.version) ?? [], (await unknownMigrations(client)) ?? []),
      skew < CLOCK_SKEW_MS
        ? ok('Clock', 'agrees with the database')
        : problem('Clock', `${Math.round(skew / 1000)} s off the database's`, 'set the clock of both machines by a time server'),
    ];
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    return [
      problem(
        'Database',
        `cannot be reached${code}`,
        env.backend.mode === 'embedded' ? 'start the server again' : 'check DATABASE_URL and the network',
      ),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

function checkMigrations(applied: readonly string[], unknown: readonly string[]): Finding {
  if (unknown.length > 0) {
    const { found, remedy } = newerSchema(unknown);
    return problem('Migrations', found, remedy);
  }
  const missing = knownMigrations().filter((version) => !applied.includes(version));
  if (missing.length === 0) return ok('Migrations', `${applied.length} applied`);
  return attention('Migrations', `${missing.length} not applied yet`, 'start the server, which applies them');
}

async function checkAuth(env: Env): Promise<Finding> {
  if (env.backend.mode !== 'supabase') return ok('Accounts', 'the embedded service, inside the server');
  const answer = await fetch(`${env.backend.url}/auth/v1/health`, {
    headers: { apikey: env.backend.publishableKey },
    signal: AbortSignal.timeout(5_000),
  }).catch(() => null);
  if (answer?.ok) return ok('Accounts', `${new URL(env.backend.url).host} answers`);
  return problem(
    'Accounts',
    answer === null ? 'the auth service does not answer' : `the auth service answers ${answer.status}`,
    'check SUPABASE_URL and SUPABASE_PUBLISHABLE_KEY',
  );
}

function checkKeys(env: Env): Finding {
  if (env.secretKey !== null) return ok('Keys', 'QUORATE_SECRET_KEY is set');
  if (existsSync(join(env.dataDir, 'secret-key'))) return ok('Keys', 'kept in the data directory: back up secret-key with it');
  return attention('Keys', 'not made yet', 'the first start makes them');
}
