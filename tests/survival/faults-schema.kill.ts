/** Code that is older than the schema refuses to run on it, whatever it is started as, and says how one gets back. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { processesOf } from '#tests/survival/support/processes.ts';
import { until } from '#tests/survival/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const NEWER = '29990101000000';
const SAID = /[Tt]he database has the schema 29990101000000, this version of Quorate knows it up to 2026\d{10}/;

let instance: Instance;
beforeAll(async () => {
  instance = await createInstance({ QUORATE_DEMO: 'off' });
  await instance.start();
});
afterAll(() => instance.remove());

function run(script: string, ...args: string[]) {
  const env = { ...process.env, NODE_OPTIONS: '', QUORATE_DATA_DIR: instance.dataDirectory, ...instance.settings };
  const ended = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(root, 'app', script), ...args], {
    encoding: 'utf8',
    env,
  });
  return { code: ended.status, said: ended.stdout + ended.stderr };
}
const add = (version: string, statement: string) =>
  instance.query('insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)', [
    version,
    'later',
    [statement],
  ]);

test('a newer schema is refused by worker and server, named by the doctor, and left as it is', async () => {
  // Another application's migration on the same project is none of ours.
  await add('29980101000000', 'create table public.other ()');
  expect(run('doctor.ts').said).toMatch(/ok +Migrations/);
  await add(NEWER, 'alter table quorate.runs add column later text');

  const worker = run('start.ts', 'worker', '--as-built');
  expect(worker).toMatchObject({ code: 1, said: expect.stringMatching(SAID) });
  expect(worker.said.trim().split('\n')).toHaveLength(1);
  const doctor = run('doctor.ts');
  expect(doctor).toMatchObject({ code: 1, said: expect.stringMatching(SAID) });
  expect(doctor.said).toMatch(/problem +Migrations .*: start the newer version again, or restore the backup made before the upgrade/);

  await instance.server().stop();
  const server = await instance.spawn();
  const [code] = await once(server.process, 'exit');
  expect(code).toBe(1);
  await until('its words', () => server.output().endsWith('\n'));
  expect(server.output()).toMatch(SAID);
  expect(server.output()).toContain('Start the newer version again, or restore the backup made before the upgrade.');
  await until('the end of every process', () => processesOf(instance.dataDirectory).length === 0, 15_000);
});
