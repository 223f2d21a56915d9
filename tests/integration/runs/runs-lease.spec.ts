import pg from 'pg';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRunQueue } from '#app/platform/queue/pg-boss-queue.server.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
/** Judges the others. */
let looker: string;
/** Holds the run. */
let holder: string;
let runId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

const asWorker = async (text: string, values: unknown[]) => (await database.database.workerPool.query(text, values)).rows[0]?.a;
const claim = (worker: string) => asWorker('select quorate.claim_run($1, $2, $3) as a', [workspace.id, runId, worker]);
const journal = (attempt: number) =>
  asWorker('select quorate.journal_local_steps($1, $2, $3, $4) as a', [workspace.id, runId, attempt, '[]']);
/** Puts a worker's last renewal so many seconds back. */
const silentFor = (worker: string, seconds: number) =>
  database.owner.query(
    `insert into quorate.worker_leases (worker_id, renewed_at) values ($1, clock_timestamp() - make_interval(secs => $2))
     on conflict (worker_id) do update set renewed_at = excluded.renewed_at`,
    [worker, seconds],
  );
const start = async () =>
  runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] }));

describe('who is lost', () => {
  let presence: { leave(): Promise<void> };
  beforeEach(async () => {
    [looker, holder] = [newId(), newId()];
    runId = await start();
    await claim(holder);
    presence = await runs.queue.join(holder, () => undefined);
    return () => presence.leave();
  });
  const lost = async () => (await runs.queue.listLost(looker)).includes(holder);

  test('a worker that stands still with its session open, once its lease is over', async () => {
    await silentFor(holder, 19);
    expect(await lost()).toBe(false);
    await silentFor(holder, 21);
    expect(await lost()).toBe(true);
  });

  test('a worker whose session ended, and which renews no more', async () => {
    await presence.leave();
    await silentFor(holder, 1);
    expect(await lost()).toBe(false);
    await silentFor(holder, 4);
    expect(await lost()).toBe(true);
  });

  test('nobody who has renewed between the look and the taking over', async () => {
    await silentFor(holder, 30);
    expect(await runs.queue.renew(holder)).toBe(true);
    expect(await runs.queue.takeOver(holder)).toBe(0);
    expect((await runs.run(runId)).claimed_by).toBe(holder);
  });

  test('an outage longer than the lease takes nothing from anyone', async () => {
    await silentFor(holder, 60);
    expect(await runs.queue.renew(holder)).toBe(true);
    expect(await journal(1)).toEqual({ state: 'ok' });
  });
});

test('what a worker writes after its runs were taken over is refused, and it is told', async () => {
  holder = newId();
  runId = await start();
  const { attempt } = await claim(holder);
  const presence = await runs.queue.join(holder, () => undefined);
  await silentFor(holder, 30);
  expect(await runs.queue.takeOver(holder)).toBe(1);
  // nobody drives the run yet
  expect((await runs.run(runId)).claimed_by).toBeNull();
  expect(await journal(attempt)).toEqual({ state: 'fenced' });
  expect(await runs.queue.renew(holder)).toBe(false);
  expect(await runs.queue.renew(holder)).toBe(true);
  await presence.leave();
});

test('a worker whose runs were taken lets go of its calls, and another makes them', async () => {
  const { slug } = await runs.makeCapability(workspace, { name: 'echo' });
  const calls: { worker: string; aborted: boolean }[] = [];
  const first = await runs.startWorker(async ({ signal }) => {
    const call = { worker: 'first', aborted: false };
    calls.push(call);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    call.aborted = true;
    throw new Error('aborted');
  });
  // it would take over other tests' lost workers beside them
  onTestFinished(() => first.stop());
  const step = { id: 'say', name: 'Say', kind: 'tool', connection: slug, capability: 'echo', input: {}, timeoutSeconds: 60 };
  runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [step] }));
  await vi.waitFor(() => expect(calls).toHaveLength(1), { timeout: 20_000 });
  await database.owner.query('begin');
  await silentFor(first.workerId, 30);
  await database.owner.query('select quorate.release_lost_worker($1)', [first.workerId]);
  await database.owner.query('update quorate.runs set claimed_by = $2 where id = $1', [runId, newId()]);
  await database.owner.query('commit');
  await vi.waitFor(() => expect(calls[0]?.aborted).toBe(true), { timeout: 20_000 });
  expect(await runs.run(runId)).toMatchObject({ status: 'processing' });
});

test('a session that the database ends between two statements of a takeover ends no worker', async () => {
  const queue = await createRunQueue({ connection: { ...database.appLogin }, log: quietLog, supervise: false });
  holder = newId();
  runId = await start();
  await claim(holder);
  await silentFor(holder, 30);
  const locker = new pg.Client(database.ownerLogin);
  const same = new pg.Client({ ...database.appLogin });
  await Promise.all([locker.connect(), same.connect()]);
  try {
    // the takeover has released the runs, and waits to send their jobs
    await locker.query('begin');
    await locker.query('lock table pgboss.queue in access exclusive mode');
    const taking = queue.takeOver(holder).then(
      () => 'taken',
      () => 'failed',
    );
    const ending = `select pg_terminate_backend(l.pid) from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where l.relation = 'quorate.runs'::regclass and l.mode = 'RowExclusiveLock' and a.application_name = 'quorate queue' and l.database = (select oid from pg_database where datname = current_database())`;
    await vi.waitFor(async () => expect((await same.query(ending)).rows.length).toBeGreaterThan(0), { timeout: 20_000 });
    await locker.query('rollback');
    expect(await taking).toBe('failed');
  } finally {
    await Promise.all([locker.end(), same.end()]);
  }
  expect((await runs.run(runId)).claimed_by).toBe(holder);
  expect(await queue.takeOver(holder)).toBe(1);
  await queue.stop();
});
