/** `npm start` ends when whoever started it ends, however that happens: no server is left that holds its port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { full } from '#tests/survival/support/kills.ts';
import { clusterState, processesOf, SHUT_DOWN } from '#tests/survival/support/processes.ts';
import { until } from '#tests/survival/support/until.ts';

const root = join(import.meta.dirname, '..', '..');

let instance: Instance | undefined;
afterEach(async () => {
  await instance?.remove();
  instance = undefined;
});

/** As a person starts it: npm, its shell, and the server below that. */
function startByNpm({ dataDirectory, settings }: Instance) {
  const env = { ...process.env, NODE_OPTIONS: '', QUORATE_DATA_DIR: dataDirectory, ...settings };
  return spawn('npm', ['start', '--', 'server', '--as-built'], { cwd: root, env, stdio: 'ignore', detached: true });
}

const launchers = (dataDirectory: string) => processesOf(dataDirectory).filter(({ line }) => line.includes('app/start.ts'));

async function startServer(): Promise<{ instance: Instance; npm: ReturnType<typeof spawn>; shell: number; server: number }> {
  const made = await createInstance({ QUORATE_DEMO: 'off' });
  instance = made;
  const npm = startByNpm(made);
  await until('the server', async () => (await fetch(`${made.origin}/healthz`)).status === 200, 120_000);
  const server = launchers(made.dataDirectory).find(({ line }) => !line.startsWith('sh '));
  if (server === undefined) throw new Error('no server runs');
  return { instance: made, npm, shell: server.parent, server: server.pid };
}

async function expectGone({ dataDirectory, origin }: Instance): Promise<void> {
  await until(
    'a free port',
    () =>
      fetch(`${origin}/healthz`).then(
        () => false,
        () => true,
      ),
    15_000,
  );
  await until('the end of every process', () => launchers(dataDirectory).length === 0 && processesOf(dataDirectory).length === 0, 15_000);
  expect(clusterState(dataDirectory)).toBe(SHUT_DOWN);
}

const ENDS = [
  ['SIGTERM to npm', 'npm', 'SIGTERM'],
  ['kill -9 of npm', 'npm', 'SIGKILL'],
  ...(full
    ? ([
        ['Ctrl-C, which reaches npm, its shell and the server', 'group', 'SIGINT'],
        ['SIGHUP to npm', 'npm', 'SIGHUP'],
        ['kill -9 of the shell of npm', 'shell', 'SIGKILL'],
        ['SIGHUP to the server, as a closed terminal sends it', 'server', 'SIGHUP'],
      ] as const)
    : []),
] as const;

test.each(ENDS)('%s ends the server: database shut down, port free, no process left', async (_, whom, signal) => {
  const started = await startServer();
  const ended = once(started.npm, 'exit');
  if (whom === 'npm') started.npm.kill(signal);
  else if (whom === 'group') process.kill(-(started.npm.pid ?? 0), signal);
  else process.kill(started[whom], signal);
  await expectGone(started.instance);
  await ended;
});

if (full)
  test('a server that was started without npm outlives its starter', async () => {
    instance = await createInstance({ QUORATE_DEMO: 'off' });
    const command = `${process.execPath} app/start.ts server --as-built > /dev/null 2>&1 & sleep 0.1`;
    const { npm_lifecycle_event: _, ...rest } = process.env;
    const shell = spawn('sh', ['-c', command], {
      cwd: root,
      env: { ...rest, NODE_OPTIONS: '', QUORATE_DATA_DIR: instance.dataDirectory, ...instance.settings },
      stdio: 'ignore',
    });
    await once(shell, 'exit');
    const { origin } = instance;
    await until('the server', async () => (await fetch(`${origin}/healthz`)).status === 200, 120_000);
    await pause(1_000);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });
