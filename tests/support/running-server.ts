import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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

/** Starts the product in a process of its own, on fresh data unless `dataDirectory` says otherwise, and waits until it and its demo are ready. */
export async function startRunningServer(options: StartOptions & { readyMs?: number } = {}): Promise<RunningServer> {
  const server = await spawnServer(options);
  await becomeReady(server, options.readyMs ?? 120_000);
  if (options.settings?.QUORATE_WORKER !== 'off') await untilDemoIsWhole(server);
  return server;
}

/** The same without the waiting. The built product needs its build: `npm test` makes it before. */
export async function spawnServer(options: StartOptions = {}): Promise<RunningServer> {
  const dataDirectory = options.dataDirectory ?? (await freshDataDirectory());
  const port = options.settings?.PORT ?? String(await freePort());
  const { how = 'built' } = options;
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

/** The sample runs are made beside the first pages: a test that counts runs or notifications begins after them. */
async function untilDemoIsWhole({ dataDirectory, process: child, output }: RunningServer): Promise<void> {
  const until = Date.now() + 60_000;
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
