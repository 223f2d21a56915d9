/**
 * Process 1 of a container without an init: it starts the server, and never asks for children that are not its own, so that what is orphaned
 * stays a zombie. Kills server and database, starts the server again, and prints what came of it as one line of JSON.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const root = join(import.meta.dirname, '..', '..', '..');
const dataDirectory = process.env.QUORATE_DATA_DIR ?? '';
const pidFile = join(dataDirectory, 'database', 'cluster', 'postmaster.pid');

const isZombie = (pid: number) => /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

/** Returns the server and its words, once it is ready or has ended. */
async function start(): Promise<{ server: ChildProcess; ready: boolean; said: () => string }> {
  const server = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'app', 'start.ts'), 'server', '--as-built'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for (;;) {
    if (server.exitCode !== null) return { server, ready: false, said: () => said };
    const answer = await fetch(`http://localhost:${process.env.PORT}/healthz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return { server, ready: true, said: () => said };
    await pause(50);
  }
}

async function end({ server }: { server: ChildProcess }, signal: NodeJS.Signals): Promise<void> {
  const ended = server.exitCode === null ? once(server, 'exit') : undefined;
  server.kill(signal);
  await ended;
}

const first = await start();
const postmaster = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
await end(first, 'SIGKILL');
process.kill(postmaster, 'SIGKILL');
while (!isZombie(postmaster)) await pause(20);
const second = await start();
const result = {
  firstReady: first.ready,
  zombie: isZombie(postmaster),
  secondReady: second.ready,
  said: second.ready ? '' : second.said(),
};
await end(second, 'SIGTERM');
process.stdout.write(`${JSON.stringify(result)}\n`);
