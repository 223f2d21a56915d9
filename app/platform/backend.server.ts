/** Joins database, auth service and their supervision into what a process of ours stands on. */
import type { PoolConfig } from 'pg';
import type { Log, Mail } from '#app/domain/ports.ts';
import { CONNECTION_BUDGET, createDatabase, type Database } from '#app/platform/database/database.server.ts';
import { appLogin, loginFromUrl } from '#app/platform/database/database-login.server.ts';
import { migrate } from '#app/platform/database/migrate.server.ts';
import { type AuthEndpoint, startAuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { admitAuthService } from '#app/platform/embedded/auth-grants.server.ts';
import { ensureDataDirectory, instanceSecret, joinedInstanceSecret } from '#app/platform/embedded/data-directory.server.ts';
import { attachEmbeddedPostgres, type DatabaseStatus, startEmbeddedPostgres } from '#app/platform/embedded/postgres-server.server.ts';
import type { BackendSettings, Env } from '#app/platform/env.server.ts';

export type Backend = {
  mode: BackendSettings['mode'];
  database: Database;
  auth: AuthEndpoint;
  /** QUORATE_SECRET_KEY, or the one that the data directory keeps. */
  secretKey: string;
  /** For the queue: its schema is migrated already, and its tables are the owner's. */
  queueConnection: PoolConfig;
  /** Of the supervised database; a hosted one is 'ready' until a query says otherwise. */
  status(): DatabaseStatus;
  /** Answers how to stop listening. */
  onStatus(listener: (status: DatabaseStatus) => void): () => void;
  /** Connections first, then the auth service, the database last. Idempotent. */
  close(): Promise<void>;
};

/** For the web server: starts the embedded backend (and holds its directory) or reaches the hosted one; migrates either. */
export async function openBackend(env: Env, options: { log: Log; sendMail(mail: Mail): Promise<void> | void }): Promise<Backend> {
  return env.backend.mode === 'embedded' ? openEmbedded(env, options) : openHosted(env, env.backend, options.log, true);
}

/** For a separate worker: the hosted backend, or the running embedded database of the directory. It migrates nothing. */
export async function attachBackend(env: Env, options: { log: Log }): Promise<Backend> {
  if (env.backend.mode === 'supabase') return openHosted(env, env.backend, options.log, false);
  const address = attachEmbeddedPostgres({ dataDir: env.dataDir });
  const secretKey = joinedInstanceSecret(env.dataDir, env.secretKey);
  const login = appLogin({ ...address, user: '', password: '' }, secretKey);
  const database = createDatabase({ login, log: options.log });
  const noAuth: typeof fetch = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('the auth service runs in the web server') }));
  return {
    mode: 'embedded',
    database,
    auth: { url: 'http://auth.embedded.invalid', anonKey: '', jwtSecret: null, fetch: noAuth },
    secretKey,
    queueConnection: { ...login, max: CONNECTION_BUDGET.queue },
    ...alwaysReady,
    close: () => database.close(),
  };
}

const alwaysReady: Pick<Backend, 'status' | 'onStatus'> = { status: () => 'ready', onStatus: () => () => undefined };

async function openEmbedded(env: Env, { log, sendMail }: { log: Log; sendMail(mail: Mail): Promise<void> | void }): Promise<Backend> {
  ensureDataDirectory(env.dataDir);
  const server = await startEmbeddedPostgres({ dataDir: env.dataDir, log });
  const started: (() => Promise<void>)[] = [() => server.stop()];
  const closeAll = async () => {
    for (const stop of started.splice(0).reverse()) await stop();
  };
  try {
    if (server.movedAway)
      log.warn('the database stands outside the data directory, which its account cannot reach', { directory: server.root });
    const secretKey = instanceSecret(env.dataDir, env.secretKey);
    const auth = await startAuthBackend({ login: server.auth, origin: env.origin, secretKey, log, sendMail });
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
      queueConnection: { ...login, max: CONNECTION_BUDGET.queue },
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

async function openHosted(
  env: Env,
  settings: Extract<BackendSettings, { mode: 'supabase' }>,
  log: Log,
  migrateFirst: boolean,
): Promise<Backend> {
  const secretKey = env.secretKey;
  if (!secretKey) throw new Error('QUORATE_SECRET_KEY is required');
  const owner = loginFromUrl(settings.databaseUrl);
  if (migrateFirst) await migrate(owner, secretKey);
  const login = appLogin(owner, secretKey);
  const database = createDatabase({ login, log });
  return {
    mode: 'supabase',
    database,
    auth: { url: settings.url, anonKey: settings.publishableKey, jwtSecret: null, fetch: globalThis.fetch },
    secretKey,
    queueConnection: { ...login, max: CONNECTION_BUDGET.queue },
    ...alwaysReady,
    close: () => database.close(),
  };
}
