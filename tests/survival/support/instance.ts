/** The built product on a directory and a port of its own, started, killed and started again. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { columnTypes } from '#app/platform/database/column-types.server.ts';
import { superuserLogin } from '#app/platform/embedded/postgres-cluster.server.ts';
import { freePort } from '#tests/support/free-port.ts';
import { LOOPBACK_SETTING } from '#tests/support/loopback.ts';
import { dataDirectoryFor, type RunningServer, spawnServer, startRunningServer } from '#tests/support/running-server.ts';
import { processesOf } from '#tests/survival/support/processes.ts';

export type Instance = {
  origin: string;
  dataDirectory: string;
  settings: Record<string, string>;
  /** Starts it and waits until it is ready. */
  start(): Promise<RunningServer>;
  /** Starts it and does not wait. */
  spawn(): Promise<RunningServer>;
  server(): RunningServer;
  /** kill -9 of the server alone. */
  kill(): Promise<void>;
  /** One statement as the superuser of the database, in a connection of its own. */
  query<T extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<T[]>;
  /** Ends everything and deletes the directory. */
  remove(): Promise<void>;
};

/** `directory`: an empty one, for tests of the very first start. */
export async function createInstance(settings: Record<string, string> = {}, directory?: string): Promise<Instance> {
  const dataDirectory = directory ?? (await dataDirectoryFor(settings));
  const port = String(await freePort());
  const options = { dataDirectory, settings: { ALLOW_PRIVATE_NETWORK: LOOPBACK_SETTING, ...settings, PORT: port } };
  let running: RunningServer | undefined;
  const server = () => {
    if (running === undefined) throw new Error('not started');
    return running;
  };
  return {
    origin: `http://localhost:${port}`,
    dataDirectory,
    settings: options.settings,
    server,
    async start() {
      running = await startRunningServer(options);
      return running;
    },
    async spawn() {
      running = await spawnServer(options);
      return running;
    },
    async kill() {
      const child = server().process;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const client = new pg.Client({ ...superuser(dataDirectory), types: columnTypes });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return (await client.query<T>(text, values)).rows;
      } finally {
        await client.end().catch(() => undefined);
      }
    },
    async remove() {
      const child = running?.process;
      if (running !== undefined && child?.exitCode === null && child.signalCode === null) await running.stop();
      // a test that failed after a kill must leave no database behind
      for (const { pid } of processesOf(dataDirectory)) kill(pid);
      await rm(dataDirectory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** The directory's superuser, as the running server has told. Throws while none runs. */
export function superuser(dataDirectory: string): pg.ClientConfig {
  if (!existsSync(join(dataDirectory, 'database.json'))) throw new Error('no database runs');
  const address = JSON.parse(readFileSync(join(dataDirectory, 'database.json'), 'utf8'));
  const password = readFileSync(join(dataDirectory, 'database-password'), 'utf8').trim();
  return { ...superuserLogin(address, password), database: address.database };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it has ended on its own
  }
}
