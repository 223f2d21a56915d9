import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '#tests/support/free-port.ts';

const root = join(import.meta.dirname, '..', '..');

export type RunningServer = {
  origin: string;
  dataDirectory: string;
  process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  demoAccounts(): Promise<{ email: string; password: string; name: string; roles: string[] }[]>;
  /** Ends it as an operator would; answers its exit code. */
  stop(): Promise<number | null>;
  /** Ends it and deletes its data. */
  remove(): Promise<void>;
};

type StartOptions = {
  dataDirectory?: string;
  settings?: Record<string, string>;
  /** The built product, or what `npm run dev` and `npm run dev:mocked` start. */
  how?: 'built' | 'dev' | 'mocked';
};

const BUILT = ['--disable-warning=ExperimentalWarning', join(root, 'app', 'start.ts'), 'server', '--as-built'];
const IN_DEVELOPMENT = ['--conditions=development', '--disable-warning=ExperimentalWarning', join(root, 'app', 'start.ts')];

/** Starts the product in a process of its own, with its demo unless the settings leave it out, and waits until both are ready. */
export async function startRunningServer(options: StartOptions & { readyMs?: number } = {}): Promise<RunningServer> {
  const server = await spawnServer(options);
  await becomeReady(server, options.readyMs ?? 120_000);
  if (options.settings?.QUORATE_WORKER !== 'off') await untilDemoIsWhole(server);
  return server;
}

/** The same without the waiting. The built product needs its build: `npm test` makes it before. */
export async function spawnServer(options: StartOptions = {}): Promise<RunningServer> {
  const { how = 'built' } = options;
  const dataDirectory = options.dataDirectory ?? (await (how === 'mocked' ? freshDataDirectory() : dataDirectoryFor(options.settings)));
  const port = options.settings?.PORT ?? String(await freePort());
  const child = spawn(process.execPath, how === 'built' ? BUILT : [...IN_DEVELOPMENT, how], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '', PORT: port, QUORATE_DATA_DIR: dataDirectory, ...options.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    origin: `http://localhost:${port}`,
    dataDirectory,
    process: child,
    output: () => output,
    demoAccounts: async () => JSON.parse(await readFile(join(dataDirectory, 'demo-accounts.json'), 'utf8')),
    async stop() {
      child.kill('SIGTERM');
      return ended;
    },
    async remove() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

/** Reachable by the account that runs the database when the tests run as root. */
export async function freshDataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'quorate-'));
  await chmod(directory, 0o755);
  return directory;
}

/** Name the data that `prepareData` made, for every process of the tests. */
const PREPARED = { withDemo: 'QUORATE_TEST_PREPARED_DATA', withoutDemo: 'QUORATE_TEST_PREPARED_DATA_WITHOUT_DEMO' } as const;

/**
 * Makes the data of a first start once, with the demo and without, for the tests that begin after it: to copy it takes a
 * fraction of a first start. Resolves to a function that deletes both.
 */
export async function prepareData(): Promise<() => Promise<void>> {
  const removals = await Promise.all([prepare(PREPARED.withDemo, {}), prepare(PREPARED.withoutDemo, { QUORATE_DEMO: 'off' })]);
  return async () => {
    await Promise.all(removals.map((remove) => remove()));
  };
}

async function prepare(name: string, settings: Record<string, string>): Promise<() => Promise<void>> {
  const server = await startRunningServer({ dataDirectory: await freshDataDirectory(), settings });
  const code = await server.stop();
  if (code !== 0) throw new Error(`the server that prepared the data ended with ${code}:\n${server.output()}`);
  process.env[name] = server.dataDirectory;
  return async () => {
    delete process.env[name];
    await server.remove();
  };
}

/** A directory of its own for a server with these settings: a copy of the prepared data where these would have made the same, else empty. */
export async function dataDirectoryFor(settings: Record<string, string> = {}): Promise<string> {
  const directory = await freshDataDirectory();
  const wanted = process.env[settings.QUORATE_DEMO === 'off' ? PREPARED.withoutDemo : PREPARED.withDemo];
  const prepared = settings.QUORATE_WORKER === 'off' ? undefined : wanted;
  // With the owners of the files: the database's account is another where the tests run as root.
  if (prepared !== undefined) await promisify(execFile)('cp', ['-a', `${prepared}/.`, directory]);
  return directory;
}

/** The sample runs are made beside the first pages: a test that counts runs or notifications begins after them. */
async function untilDemoIsWhole({ dataDirectory, process: child, output }: RunningServer): Promise<void> {
  const until = Date.now() + 150_000;
  while (existsSync(join(dataDirectory, 'demo-runs.pending.json'))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the demo did not become whole:\n${output()}`);
    await wait(50);
  }
}

async function becomeReady(server: RunningServer, withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  while (Date.now() < until) {
    if (server.process.exitCode !== null) throw new Error(`the server ended at its start:\n${server.output()}`);
    const answer = await fetch(`${server.origin}/healthz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await wait(50);
  }
  await server.stop();
  throw new Error(`the server was not ready within ${withinMs} ms:\n${server.output()}`);
}
