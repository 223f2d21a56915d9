/** What a database leaves behind holds no start up: a dead postmaster that nobody reaps, and the locks of a directory that was copied. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { freePort } from '#tests/support/free-port.ts';
import { freshDataDirectory, spawnServer } from '#tests/support/running-server.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { until } from '#tests/survival/support/until.ts';

const open: Instance[] = [];
afterEach(async () => {
  for (const instance of open.splice(0)) await instance.remove();
});

async function instanceOf(directory?: string): Promise<Instance> {
  const instance = await createInstance({ QUORATE_DEMO: 'off' }, directory);
  open.push(instance);
  return instance;
}

test('where process 1 reaps nobody, the start after a kill of server and database works', { timeout: 300_000 }, async (context) => {
  const apart = ['--pid', '--fork', '--kill-child', '--mount-proc'];
  const can = spawnSync('unshare', [...apart, 'true'], { encoding: 'utf8' });
  if (can.status !== 0) context.skip(`no process 1 of one's own here: ${(can.stderr || can.error?.message)?.trim()}`);
  const { dataDirectory, settings } = await instanceOf();
  const init = join(import.meta.dirname, '..', 'support', 'unreaping-process.ts');
  const child = spawn('unshare', [...apart, process.execPath, '--disable-warning=ExperimentalWarning', init], {
    env: { ...process.env, NODE_OPTIONS: '', npm_lifecycle_event: undefined, QUORATE_DATA_DIR: dataDirectory, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(child, 'close');
  expect(JSON.parse(said)).toEqual({ firstReady: true, zombie: true, secondReady: true, said: '' });
  expect(code).toBe(0);
});

test('a directory that was copied while its server ran starts beside the original', async () => {
  const original = await instanceOf();
  await original.start();
  const copy = await instanceOf(await freshDataDirectory());
  execFileSync('cp', ['-a', `${original.dataDirectory}/.`, copy.dataDirectory]);
  const lock = readFileSync(join(copy.dataDirectory, 'database', 'socket', '.s.PGSQL.5432.lock'), 'utf8');
  expect(() => process.kill(Number(lock.split('\n')[0]), 0)).not.toThrow();
  await copy.start();
  for (const { origin } of [original, copy]) expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  await copy.query('create table public.only_in_the_copy (n int)');
  const [found] = await original.query<{ n: string | null }>(`select to_regclass('public.only_in_the_copy')::text as n`);
  expect(found?.n).toBeNull();
});

test('a second server on the directory itself is still refused, and takes no lock away', async () => {
  const original = await instanceOf();
  await original.start();
  const second = await spawnServer({
    dataDirectory: original.dataDirectory,
    settings: { ...original.settings, PORT: String(await freePort()) },
  });
  const [code] = await once(second.process, 'exit');
  expect(code).toBe(1);
  await until('its words', () => second.output().includes('is in use: process'));
  expect(await original.query('select 1 as n')).toEqual([{ n: 1 }]);
});
