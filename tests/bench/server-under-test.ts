import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LOOPBACK_SETTING } from '#tests/support/loopback.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LOOP = fileURLToPath(new URL('./measure-loop.mjs', import.meta.url));
const READY_WITHIN_MS = 180_000;
const END_WITHIN_MS = 15_000;

export type LoopReading = { loopP99: number; loopMax: number; cpuMs: number };
export type ServerUnderTest = {
  origin: string;
  env: NodeJS.ProcessEnv;
  /** From the spawning of the process to the first 200 of /healthz. */
  readyMs: number;
  resetLoop(): Promise<void>;
  readLoop(): Promise<LoopReading>;
  /** Proportional memory of the process and of the database in MB. */
  memoryMb(): number;
  /** CPU that the processes of the server, and those of its database, have used since they began, in ms. */
  cpuMs(): { server: number; database: number };
  startWorker(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
};

/** `npm start` as a person would, in a process of its own on its own directory. The build must stand. */
export async function startServerUnderTest(
  dataDir: string,
  options: { demo: boolean; settings?: Record<string, string> },
): Promise<ServerUnderTest> {
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    QUORATE_DATA_DIR: dataDir,
    QUORATE_DEMO: options.demo ? 'on' : 'off',
    ALLOW_PRIVATE_NETWORK: LOOPBACK_SETTING,
    NODE_ENV: 'production',
    ...options.settings,
  };
  const began = performance.now();
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', LOOP, process.env.BENCH_ENTRY ?? 'app/start.ts'],
    { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  const said = collect(child);
  const origin = `http://127.0.0.1:${port}`;
  while (!(await isHealthy(`http://localhost:${port}`))) {
    if (child.exitCode !== null || performance.now() - began > READY_WITHIN_MS) {
      await end(child);
      throw new Error(`the server did not start:\n${said()}`);
    }
    await pause(10);
  }
  const readyMs = performance.now() - began;
  const ask = async (message: string) => {
    child.send(message);
    const [answer] = await once(child, 'message');
    return answer as LoopReading;
  };
  return {
    origin,
    env,
    readyMs,
    resetLoop: async () => void (await ask('reset')),
    readLoop: () => ask('read'),
    memoryMb: () => treeOf(child.pid ?? 0).reduce((sum, pid) => sum + memoryOf(pid), 0) / 1_024,
    cpuMs() {
      const cpu = { server: 0, database: 0 };
      for (const pid of treeOf(child.pid ?? 0)) {
        const { name, ms } = cpuOf(pid);
        cpu[name.startsWith('postgres') ? 'database' : 'server'] += ms;
      }
      return cpu;
    },
    async startWorker() {
      const worker = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', process.env.BENCH_ENTRY ?? 'app/start.ts', 'worker'],
        { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const words = collect(worker);
      while (!words().includes('ready')) {
        if (worker.exitCode !== null) throw new Error(`a worker did not start:\n${words()}`);
        await pause(50);
      }
      return () => end(worker);
    },
    stop: () => end(child),
  };
}

/** Puts the build in place, so that no measurement includes it. */
export async function build(): Promise<void> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', process.env.BENCH_ENTRY ?? 'app/start.ts', 'build'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the build failed');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
  await ended;
  clearTimeout(late);
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('utf8')).slice(-20_000);
    });
  return () => text;
}

async function isHealthy(origin: string): Promise<boolean> {
  return fetch(`${origin}/healthz`).then(
    (response) => response.ok,
    () => false,
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** The process and its descendants; the database, which has a session of its own, is a child all the same. */
function treeOf(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      parents.set(Number(entry), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    } catch {
      // it has just ended
    }
  }
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(belongs);
}

const TICK_MS = 10;

/** With what its ended children have used. */
function cpuOf(pid: number): { name: string; ms: number } {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')), ms: ticks * TICK_MS };
  } catch {
    return { name: '', ms: 0 };
  }
}

/** Proportional set size in KiB: shared memory counts once, not once a process. */
function memoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
