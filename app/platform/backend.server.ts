/** Joins database, auth service and their supervision into the backend of a process. */
import type { Log, Mail } from '#app/contracts/ports.ts';
import { createDatabase, type Database } from '#app/platform/database/database.server.ts';
import { type AppLogin, appLogin, loginFromUrl } from '#app/platform/database/database-login.server.ts';
import { migrate } from '#app/platform/database/migrate.server.ts';
import { becomeOnlyWebServer } from '#app/platform/database/only-web-server.server.ts';
import { admits } from '#app/platform/database/reach-database.server.ts';
import { refuseOtherSchema } from '#app/platform/database/schema-version.server.ts';
import { type AuthEndpoint, openAuthThread, startAuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { admitAuthService } from '#app/platform/embedded/auth-grants.server.ts';
import { prepareOwnPostgres } from '#app/platform/embedded/auth-roles.server.ts';
import { ensureDataDirectory, instanceSecret, joinedInstanceSecret } from '#app/platform/embedded/data-directory.server.ts';
import { attachEmbeddedPostgres, type DatabaseStatus, startEmbeddedPostgres } from '#app/platform/embedded/postgres-server.server.ts';
import type { BackendSettings, Env } from '#app/platform/env.server.ts';

export type Backend = {
  mode: BackendSettings['mode'];
  database: Database;
  auth: AuthEndpoint;
  /** QUORATE_SECRET_KEY, or the secret stored in the data directory. */
  secretKey: string;
  /** For the queue: its schema is migrated already, and its tables are the owner's. */
  queueConnection: AppLogin;
  /** The state of the supervised database; a hosted one counts as 'ready' until a query fails. */
  status(): DatabaseStatus;
  /** Returns how to stop listening. */
  onStatus(listener: (status: DatabaseStatus) => void): () => void;
  /** Connections first, then the auth service, the database last. Idempotent. */
  close(): Promise<void>;
};

/** For the web server: starts the embedded backend (and holds its directory) or reaches the hosted one; migrates either. */
export async function openBackend(env: Env, options: { log: Log; sendMail(mail: Mail): Promise<void> | void }): Promise<Backend> {
  if (env.backend.mode === 'embedded') return openEmbedded(env, options);
  if (env.backend.mode === 'postgres') return openOwnPostgres(env, env.backend, options);
  return openHosted(env, env.backend, options.log, true);
}

/** For a separate worker: the database of DATABASE_URL, or the running embedded database of the directory. It migrates nothing. */
export async function attachBackend(env: Env, options: { log: Log }): Promise<Backend> {
  if (env.backend.mode === 'supabase') return openHosted(env, env.backend, options.log, false);
  if (env.backend.mode === 'postgres') return attachOwnPostgres(env, env.backend, options.log);
  const address = attachEmbeddedPostgres({ dataDir: env.dataDir });
  const secretKey = joinedInstanceSecret(env.dataDir, env.secretKey);
  const login = appLogin({ ...address, user: '', password: '' }, secretKey);
  await refuseOtherSchema(login, { prepared: true });
  return withoutAccounts('embedded', login, secretKey, options.log);
}

/** The backend of a worker whose account service runs in the web server. */
function withoutAccounts(mode: 'embedded' | 'postgres', login: AppLogin, secretKey: string, log: Log): Backend {
  const database = createDatabase({ login, log });
  const noAuth: typeof fetch = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('the auth service runs in the web server') }));
  return {
    mode,
    database,
    auth: { url: 'http://auth.embedded.invalid', anonKey: '', jwtSecret: null, fetch: noAuth },
    secretKey,
    queueConnection: login,
    ...alwaysReady,
    close: () => database.close(),
  };
}

async function attachOwnPostgres(env: Env, settings: OwnPostgres, log: Log): Promise<Backend> {
  const secretKey = requiredKey(env);
  const login = appLogin(loginFromUrl(settings.databaseUrl), secretKey);
  if (!(await admits(login))) throw new Error(UNPREPARED);
  await refuseOtherSchema(login, { prepared: true });
  return withoutAccounts('postgres', login, secretKey, log);
}

const UNPREPARED = 'QUORATE_SECRET_KEY is not the key of the web server, or no web server has prepared this database yet.';

function requiredKey(env: Env): string {
  if (env.secretKey === null) throw new Error('QUORATE_SECRET_KEY is required');
  return env.secretKey;
}

const alwaysReady: Pick<Backend, 'status' | 'onStatus'> = { status: () => 'ready', onStatus: () => () => undefined };

async function openEmbedded(env: Env, { log, sendMail }: { log: Log; sendMail(mail: Mail): Promise<void> | void }): Promise<Backend> {
  ensureDataDirectory(env.dataDir);
  const thread = openAuthThread();
  const server = await startEmbeddedPostgres({ dataDir: env.dataDir, log }).catch(async (error: unknown) => {
    await thread.terminate();
    throw error;
  });
  const started: (() => Promise<unknown>)[] = [() => server.stop(), () => thread.terminate()];
  const closeAll = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    if (server.movedAway)
      log.warn('the database stands outside the data directory, which its account cannot reach', { directory: server.root });
    const secretKey = instanceSecret(env.dataDir, env.secretKey);
    await refuseOtherSchema(server.owner);
    const auth = await startAuthBackend({ login: server.auth, origin: env.origin, secretKey, log, sendMail, thread });
    started.push(() => auth.close());
    await migrate(server.owner, secretKey);
    await admitAuthService(server.owner, server.auth.user);
    await auth.warm();
    const login = appLogin(server.owner, secretKey);
    const database = createDatabase({ login, log });
    started.push(() => database.close());
    let closed: Promise<void> | undefined;
    return {
      mode: 'embedded',
      database,
      auth,
      secretKey,
      queueConnection: login,
      status: server.status,
      onStatus: server.onStatus,
      close: () => {
        closed ??= closeAll();
        return closed;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

type OwnPostgres = Extract<BackendSettings, { mode: 'postgres' }>;

/** The account service is a thread of this process, on a database that someone else keeps. */
async function openOwnPostgres(
  env: Env,
  settings: OwnPostgres,
  { log, sendMail }: { log: Log; sendMail(mail: Mail): Promise<void> | void },
): Promise<Backend> {
  const secretKey = requiredKey(env);
  if (env.smtpUrl === null) throw new Error('SMTP_URL is required with DATABASE_URL: people confirm their account by a mail.');
  const owner = loginFromUrl(settings.databaseUrl);
  if (!(await admits(owner))) throw new Error(`DATABASE_URL: the database refuses the login of ${owner.user}.`);
  const started: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    started.push(await becomeOnlyWebServer(owner, log));
    await refuseOtherSchema(owner);
    const accounts = await prepareOwnPostgres(owner, secretKey);
    const auth = await startAuthBackend({ login: accounts, origin: env.origin, secretKey, log, sendMail });
    started.push(() => auth.close());
    await migrate(owner, secretKey);
    await admitAuthService(owner, accounts.user);
    await auth.warm();
    const login = appLogin(owner, secretKey);
    const database = createDatabase({ login, log });
    started.push(() => database.close());
    return {
      mode: 'postgres',
      database,
      auth,
      secretKey,
      queueConnection: login,
      ...alwaysReady,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function openHosted(
  env: Env,
  settings: Extract<BackendSettings, { mode: 'supabase' }>,
  log: Log,
  migrateFirst: boolean,
): Promise<Backend> {
  const secretKey = requiredKey(env);
  const owner = loginFromUrl(settings.databaseUrl);
  const login = appLogin(owner, secretKey);
  if (migrateFirst) {
    if (!(await admits(owner))) throw new Error(`DATABASE_URL: the database refuses the login of ${owner.user}.`);
    await refuseOtherSchema(owner);
    await checkAuthService(settings, log);
    await migrate(owner, secretKey);
  } else if (!(await admits(login))) {
    throw new Error(UNPREPARED);
  } else await refuseOtherSchema(login, { prepared: true });
  const database = createDatabase({ login, log });
  return {
    mode: 'supabase',
    database,
    auth: { url: settings.url, anonKey: settings.publishableKey, jwtSecret: null, fetch: patientFetch },
    secretKey,
    queueConnection: login,
    ...alwaysReady,
    close: () => database.close(),
  };
}

const AUTH_TIMEOUT_MS = 10_000;
/** The project sends a mail before it answers. */
const AUTH_PATIENCE_MS = 15_000;

/** A project that takes a request and never answers becomes one that is not there, before the person gives up. */
const patientFetch: typeof fetch = (input, init) => {
  const late = AbortSignal.timeout(AUTH_PATIENCE_MS);
  const given = init?.signal ?? (input instanceof Request ? input.signal : null);
  return fetch(input, { ...init, signal: given ? AbortSignal.any([given, late]) : late });
};

/** A wrong address or key stops the start, instead of failing at every sign-in. A service that is only slow is waited for. */
async function checkAuthService({ url, publishableKey }: { url: string; publishableKey: string }, log: Log): Promise<void> {
  const answer = await fetch(`${url}/auth/v1/health`, {
    headers: { apikey: publishableKey },
    signal: AbortSignal.timeout(AUTH_TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new Error(`SUPABASE_URL: no auth service can be reached at ${new URL(url).host}.`, { cause });
  });
  await answer.body?.cancel();
  if (answer.status === 401 || answer.status === 403)
    throw new Error('SUPABASE_PUBLISHABLE_KEY is not a key of the project at SUPABASE_URL.');
  if (answer.status < 500 && !answer.ok)
    throw new Error(`SUPABASE_URL: no auth service answers at ${new URL(url).host} (${answer.status}).`);
  if (!answer.ok) log.warn('the auth service is not well', { status: answer.status });
}
