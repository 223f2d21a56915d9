/**
 * The embedded database: a real PostgreSQL, supervised as a child of the one server that holds its directory's lock.
 * It restarts when it dies, is stopped when it was left behind, and is never started twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import * as z from 'zod';
import type { Log } from '#app/contracts/ports.ts';
import type { DatabaseLogin } from '#app/platform/database/database-login.server.ts';
import { ensureDataDirectory, keptSecret } from '#app/platform/embedded/data-directory.server.ts';
import { lockDirectory } from '#app/platform/embedded/directory-lock.server.ts';
import { type Placement, placeDatabase } from '#app/platform/embedded/postgres-account.server.ts';
import { postgresEnvironment, signalPostmaster } from '#app/platform/embedded/postgres-binaries.server.ts';
import { createCluster, prepareCluster, superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { clearSocket, stopLeftBehind } from '#app/platform/embedded/postgres-left-behind.server.ts';
import { chooseListenAddress, type ListenAddress } from '#app/platform/embedded/postgres-socket.server.ts';
import { StartPatience } from '#app/platform/embedded/start-patience.ts';

export type DatabaseStatus = 'ready' | 'recovering' | 'stopped';

export type EmbeddedPostgres = {
  /** Login of the owner: as on hosted Supabase no superuser, and not owner of `auth`. */
  owner: DatabaseLogin;
  /** Login of the auth service, which owns the schema `auth` alone. */
  auth: DatabaseLogin;
  /** Login of the cluster's superuser: for tests and repairs, not for serving. */
  superuser: DatabaseLogin;
  /** The folder that really holds the data; another than asked for when `movedAway`. */
  root: string;
  movedAway: boolean;
  status(): DatabaseStatus;
  /** Returns how to stop listening. */
  onStatus(listener: (status: DatabaseStatus) => void): () => void;
  /** Fast shutdown: open transactions are rolled back, committed work is flushed. Idempotent. */
  stop(): Promise<void>;
};

export const DATABASE_NAME = 'quorate';
/** Then immediately: the next start replays the log. A server that is asked to stop has some ten seconds in all. */
const STOP_TIMEOUT_MS = 4_000;
const TURNED_AWAY = /terminating connection|the database system is (starting up|shutting down|in recovery mode|not yet accepting)/;
/** Said at a SIGTERM: PostgreSQL then takes no new sessions and ends when the last one has, which those of our pools never do. */
const SMART_SHUTDOWN = /received smart shutdown request/;
const MAX_LOG_LINE = 300;
const RESTART_DELAYS_MS = [50, 200, 1_000, 5_000];
const MAX_CONNECTIONS = 100;

const SETTINGS: Record<string, string> = {
  max_connections: String(MAX_CONNECTIONS),
  // held only as far as it is used
  shared_buffers: '128MB',
  // a checkpoint every few minutes under full load: each is followed by whole pages in the log
  max_wal_size: '512MB',
  // the level that an online backup needs
  wal_level: 'replica',
  max_wal_senders: '0',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '2',
  // what a new instance's plans rest on is known after its first seconds of work
  autovacuum_naptime: '10s',
  huge_pages: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_line_prefix: '',
  log_min_messages: 'warning',
  // the caller gets the refusal of a statement; its text may hold personal data and stays out of the log
  log_min_error_statement: 'panic',
  unix_socket_permissions: '0700',
};

/**
 * Starts the database of a directory and holds the directory until `stop`. Throws DirectoryInUseError when another
 * server holds it. `dataDir` is made when missing.
 */
export async function startEmbeddedPostgres({ dataDir, log }: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  ensureDataDirectory(dataDir);
  const lock = lockDirectory(dataDir);
  try {
    const placement = placeDatabase(dataDir);
    const password = keptSecret(dataDir, 'database-password');
    await stopLeftBehind(placement, log);
    await createCluster(placement, password);
    const address = await chooseListenAddress(placement.root, placement.account);
    if (address.kind === 'socket') await clearSocket(address.host, address.port);
    const supervisor = new Supervisor(placement, address, superuserLogin(address, password), log);
    await supervisor.start();
    const logins = await prepareCluster(address, password, DATABASE_NAME);
    writeFileSync(runtimeFile(dataDir), JSON.stringify({ host: address.host, port: address.port, database: DATABASE_NAME }), {
      mode: 0o600,
    });
    return {
      ...logins,
      root: placement.root,
      movedAway: placement.movedAway,
      status: () => supervisor.status,
      onStatus: (listener) => supervisor.onStatus(listener),
      async stop() {
        await supervisor.stop();
        rmSync(runtimeFile(dataDir), { force: true });
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

const runtimeFile = (dataDir: string) => join(dataDir, 'database.json');
const runtimeSchema = z.object({ host: z.string(), port: z.number(), database: z.string() });

/** Address of the running database of a directory, for another process of the same person. Throws when none runs. */
export function attachEmbeddedPostgres({ dataDir }: { dataDir: string }): { host: string; port: number; database: string } {
  let text: string;
  try {
    text = readFileSync(runtimeFile(dataDir), 'utf8');
  } catch (cause) {
    throw new Error(`No server is running on ${dataDir}: start it first, a worker shares its database.`, { cause });
  }
  return runtimeSchema.parse(JSON.parse(text));
}

class Supervisor {
  status: DatabaseStatus = 'recovering';
  readonly #placement: Placement;
  readonly #address: ListenAddress;
  readonly #probe: DatabaseLogin;
  readonly #log: Log;
  readonly #listeners = new Set<(status: DatabaseStatus) => void>();
  #child: ChildProcess | undefined;
  #stopping: Promise<void> | undefined;
  #restarts = 0;
  /** While it starts. */
  #patience: StartPatience | undefined;

  constructor(placement: Placement, address: ListenAddress, probe: DatabaseLogin, log: Log) {
    this.#placement = placement;
    this.#address = address;
    this.#probe = probe;
    process.on('exit', this.#endWithProcess);
    this.#log = log;
  }

  onStatus(listener: (status: DatabaseStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #become(status: DatabaseStatus): void {
    if (this.status === status) return;
    this.status = status;
    for (const listener of this.#listeners) listener(status);
  }

  async start(): Promise<void> {
    const patience = new StartPatience(performance.now());
    this.#patience = patience;
    const child = this.#spawn();
    let ended: string | undefined;
    child.once('exit', (code, signal) => {
      ended = `ended with ${signal ?? code}`;
    });
    while (!(await answers(this.#probe))) {
      const reason = ended ?? patience.exhausted(performance.now());
      if (reason !== null) {
        child.kill('SIGKILL');
        throw new Error(`The embedded database did not start: ${reason}. ${this.#lastWords.join(' ')}`.trim());
      }
      await delay(10);
    }
    this.#patience = undefined;
    child.once('exit', (code, signal) => void this.#afterDeath(code, signal));
    if (ended) void this.#afterDeath(null, null);
    else this.#become('ready');
  }

  #lastWords: string[] = [];

  #spawn(): ChildProcess {
    const { binaries, cluster, account } = this.#placement;
    const listen: Record<string, string> =
      this.#address.kind === 'socket'
        ? { listen_addresses: '', unix_socket_directories: this.#address.host }
        : { listen_addresses: this.#address.host, unix_socket_directories: '' };
    const settings = Object.entries({ ...SETTINGS, ...listen, port: String(this.#address.port) });
    // its own session: Ctrl-C in the terminal is for the server, which stops the database last
    const child = spawn(binaries.postgres, ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
      ...(account ?? {}),
      cwd: this.#placement.root,
      env: postgresEnvironment(),
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.once('error', (error) => this.#log.error('embedded database could not be spawned', { reason: error.message }));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#relay(text));
    this.#child = child;
    return child;
  }

  #relay(text: string): void {
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      this.#lastWords = [...this.#lastWords.slice(-4), line.trim()];
      if (this.#patience?.hear(line, performance.now()))
        this.#log.info('embedded database recovers', { line: line.slice(0, MAX_LOG_LINE) });
      if (SMART_SHUTDOWN.test(line)) this.#endSmartShutdown();
      // ERROR lines belong to one statement, whose caller has the error; clients that were turned away during start and stop have it too
      if (/^(FATAL|PANIC|WARNING):/.test(line) && !TURNED_AWAY.test(line))
        this.#log.warn('embedded database', { line: line.slice(0, MAX_LOG_LINE) });
    }
  }

  /** Nobody else stops it for good: its sessions end at once, and `#afterDeath` starts it again. */
  #endSmartShutdown(): void {
    if (this.#stopping) return;
    this.#become('recovering');
    this.#log.error('embedded database was told to shut down by somebody else; ending its sessions to start it again');
    if (this.#child) void this.#end(this.#child);
  }

  async #afterDeath(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    if (this.#stopping) return;
    this.#become('recovering');
    this.#log.error('embedded database died; restarting it', { code, signal });
    while (!this.#stopping) {
      await delay(RESTART_DELAYS_MS[Math.min(this.#restarts, RESTART_DELAYS_MS.length - 1)]);
      if (this.#stopping) return;
      this.#restarts += 1;
      try {
        await this.start();
        this.#restarts = 0;
        this.#log.info('embedded database is back');
        return;
      } catch (error) {
        // orphaned backends hold the shared memory for a moment after their postmaster was killed
        this.#log.warn('embedded database did not come back yet', {
          attempts: this.#restarts,
          reason: error instanceof Error ? error.message.slice(0, 300) : '',
        });
      }
    }
  }

  /** A process that ends without `stop` takes its database along; only SIGKILL leaves it behind. */
  readonly #endWithProcess = () => this.#signal('INT');

  #signal(signal: 'INT' | 'QUIT'): void {
    const child = this.#child;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      signalPostmaster(this.#placement.binaries, child.pid, signal);
  }

  /** Fast shutdown, and one that leaves the log to be replayed when that takes too long. */
  async #end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    this.#signal('INT');
    const late = setTimeout(() => this.#signal('QUIT'), STOP_TIMEOUT_MS);
    await gone;
    clearTimeout(late);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  async #shutDown(): Promise<void> {
    if (this.#child) await this.#end(this.#child);
    process.off('exit', this.#endWithProcess);
    this.#become('stopped');
  }
}

/** Whether the server takes connections. */
async function answers(login: DatabaseLogin): Promise<boolean> {
  const client = new pg.Client({ ...login, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
