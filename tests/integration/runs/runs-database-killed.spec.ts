import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestProject } from 'vitest/node';
import { AppError } from '#app/domain/errors.ts';
import setup from '#tests/support/database-setup.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestLogins } from '#tests/support/test-database.ts';

/** `npm run test:full` kills as often as the issue asks for. */
const KILLS = process.env.QUORATE_TEST_FULL ? 20 : 4;

let remove: () => Promise<void>;
let logins: TestLogins;
let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
const calls: { key: string; at: number }[] = [];

beforeAll(async () => {
  // a server of its own: this one is killed
  const provide = (_name: string, value: TestLogins) => {
    logins = value;
  };
  remove = await setup({ provide } as unknown as TestProject);
  database = await createTestDatabase(logins);
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  await runs.startWorker(async ({ idempotencyKey }) => {
    calls.push({ key: idempotencyKey, at: Date.now() });
    await pause(20);
    return { output: { ok: true }, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
  await remove?.();
});

async function killDatabase(): Promise<void> {
  const client = new pg.Client({ ...logins.superuser, database: 'postgres' });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
  const pid = Number(rows[0]?.file.split('\n')[0]);
  process.kill(pid, 'SIGKILL');
  await client.end().catch(() => undefined);
}

async function whenItAnswers<T>(work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(50);
    }
  }
}

test('the database killed again and again under load loses nothing acknowledged and repeats no completed step', async () => {
  const { slug } = await runs.makeCapability(workspace, { name: 'echo' });
  const tool = (id: string) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text: id } });
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [tool('a'), { id: 't', name: 'T', kind: 'transform', expression: 'steps.a' }, tool('b')],
  });
  const acknowledged: string[] = [];
  let offering = true;
  const offer = (async () => {
    while (offering) {
      // what is refused while the database is away was never acknowledged
      await runs.start(workspace, workflow).then(
        (runId) => acknowledged.push(runId),
        () => pause(30),
      );
      await pause(25);
    }
  })();
  for (let n = 0; n < KILLS; n += 1) {
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, { timeout: 60_000 }).toBeGreaterThan(before + 3);
    await pause(100);
    await whenItAnswers(killDatabase);
  }
  await pause(500);
  offering = false;
  await offer;
  expect(acknowledged.length).toBeGreaterThan(KILLS * 3);
  for (const runId of acknowledged) {
    const run = await whenItAnswers(() => runs.until(runId, ['completed', 'failed'], 20_000));
    expect(run).toMatchObject({ status: 'completed' });
  }
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, status, finished_at from quorate.steps where run_id = any ($1) and kind = 'tool'`,
    [acknowledged],
  );
  expect(rows).toHaveLength(acknowledged.length * 2);
  const endedAt = new Map(rows.map((row) => [row.key, row.finished_at.getTime()]));
  expect(calls.filter((call) => call.at > (endedAt.get(call.key) ?? Number.POSITIVE_INFINITY) + 5)).toEqual([]);
}, 180_000);

test('a statement alone that is under way when the database is killed fails, and no process with it', async () => {
  const holder = new pg.Client(database.ownerLogin);
  holder.on('error', () => undefined);
  await whenItAnswers(() => database.owner.query('select 1'));
  await holder.connect();
  await holder.query('begin; lock table quorate.members in access exclusive mode');
  const asked = database.database
    .membershipsOf({ userId: workspace.builder.id, sessionId: workspace.builder.sessionId, countUpTo: 1 })
    .then(
      () => 'answered',
      (error: unknown) => error,
    );
  const waiting = async () => (await database.owner.query(`select from pg_locks where not granted and locktype = 'relation'`)).rowCount;
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  await killDatabase();
  // An error that nobody heard would fail this whole file.
  expect(await asked).toSatisfy((end) => end === 'answered' || end instanceof AppError);
  await whenItAnswers(() => database.database.ping());
});
