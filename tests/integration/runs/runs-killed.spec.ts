import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { planFork } from '#app/domain/runs/run-fork.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

/** `npm run test:full` kills as often as the issue asks for. */
const KILLS = process.env.QUORATE_TEST_FULL ? 20 : 3;
const WORKER = fileURLToPath(new URL('../../support/worker-process.ts', import.meta.url));

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let peer: Server;
let peerMs = 50;
/** Calls that the peer refuses for good, by key. */
let refuses = (_key: string) => false;
/** Every call that reached the peer: when it began, and under which key. */
const calls: { key: string; at: number }[] = [];
const workers: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  peer = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    calls.push({ key, at: Date.now() });
    request.resume();
    setTimeout(() => response.writeHead(refuses(key) ? 422 : 200).end('{"ok":true}'), peerMs);
  }).listen(0, '127.0.0.1');
  await once(peer, 'listening');
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => kill(worker)));
});
afterAll(async () => {
  peer?.close();
  peer?.closeAllConnections();
  await runs?.close();
  await database?.close();
});

async function spawnWorker(): Promise<ChildProcess> {
  const settings = { login: database.appLogin, peer: `http://127.0.0.1:${(peer.address() as AddressInfo).port}` };
  const child = fork(WORKER, {
    env: { ...process.env, WORKER_SETTINGS: JSON.stringify(settings) },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  workers.push(child);
  await once(child, 'message');
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
const tool = (id: string) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text: id } });

test('a killed worker’s runs are taken over within seconds, and the step in flight is called again under its key', async () => {
  // longer than the second worker takes to start
  peerMs = 120_000;
  const first = await spawnWorker();
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a'), tool('b')] }));
  await expect.poll(() => calls.filter((call) => call.key === `${runId}/a`).length, { timeout: 60_000 }).toBe(1);
  await spawnWorker();
  peerMs = 50;
  await kill(first);
  const killedAt = Date.now();
  await expect.poll(() => calls.filter((call) => call.key === `${runId}/a`).length, { timeout: 60_000 }).toBe(2);
  expect((calls.findLast((call) => call.key === `${runId}/a`)?.at ?? 0) - killedAt).toBeLessThan(15_000);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 2 });
});

test('workers killed again and again under load lose nothing and repeat no completed step', async () => {
  peerMs = 30;
  const before = calls.length;
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [
      tool('a'),
      {
        id: 'fork',
        name: 'Fork',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'left', steps: [tool('l')] },
          { label: 'right', steps: [tool('r')] },
        ],
      },
      tool('z'),
    ],
  });
  await spawnWorker();
  await spawnWorker();
  const acknowledged: string[] = [];
  let offering = true;
  const offer = (async () => {
    while (offering) {
      acknowledged.push(await runs.start(workspace, workflow));
      await pause(40);
    }
  })();
  for (let n = 0; n < KILLS; n += 1) {
    await pause(700);
    const [oldest] = workers.splice(0, 1);
    if (oldest !== undefined) await kill(oldest);
    await spawnWorker();
  }
  offering = false;
  await offer;
  for (const runId of acknowledged) expect(await runs.until(runId, ['completed', 'failed'], 30_000)).toMatchObject({ status: 'completed' });
  // a call that began after its step's result had been stored would be a completed step run again
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, status, finished_at from quorate.steps where run_id = any ($1) and kind = 'tool'`,
    [acknowledged],
  );
  expect(rows).toHaveLength(acknowledged.length * 4);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

/** Kills the oldest worker and starts another, each time after a few more calls, until there were as many. */
async function killWhileCalled(enough: number): Promise<void> {
  for (let n = 0; n < KILLS; n += 1) {
    const seen = calls.length;
    await expect.poll(() => calls.length > seen + 3 || calls.length >= enough, { timeout: 60_000 }).toBe(true);
    const [oldest] = workers.splice(0, 1);
    if (oldest !== undefined) await kill(oldest);
    await spawnWorker();
  }
}

/** Calls, from this one on, of steps that had ended. */
function repeatedAfterEnd(rows: { key: string; finished_at: Date }[], before: number) {
  const endedAt = new Map(rows.map((row) => [row.key, row.finished_at.getTime()]));
  return calls.slice(before).filter((call) => call.at > (endedAt.get(call.key) ?? Number.POSITIVE_INFINITY) + 5);
}

test('workers killed again and again in a loop repeat no item that has ended, and its results stand in order', async () => {
  peerMs = 20;
  const before = calls.length;
  const count = 60;
  const inner = { ...tool('call'), input: { text: '=$string(item)' } };
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${count}]`, atOnce: 4, collect: '=item' };
  await spawnWorker();
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ ...loop, branches: [{ label: 'each', steps: [inner] }] }] }),
  );
  await killWhileCalled(before + count);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { count, ok: count, failed: 0, results: Array.from({ length: count }, (_, index) => index + 1) },
  });
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, idempotency_key, finished_at from quorate.steps where run_id = $1 and kind = 'tool'`,
    [runId],
  );
  expect(rows).toHaveLength(count);
  expect(rows.filter((row) => row.key !== row.idempotency_key)).toEqual([]);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again in a step that is repeated make no round twice', async () => {
  peerMs = 20;
  const before = calls.length;
  const count = 40;
  const add = { id: 'add', name: 'Add', kind: 'transform', expression: '=(last ? last : 0) + 1' };
  const again = { id: 'again', name: 'Again', kind: 'repeat', until: `=steps.add = ${count}`, rounds: count };
  await spawnWorker();
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ ...again, branches: [{ label: 'round', steps: [tool('call'), add] }] }] }),
  );
  await killWhileCalled(before + count);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { rounds: count, done: true, result: count },
  });
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, finished_at from quorate.steps where run_id = $1 and kind = 'tool'`,
    [runId],
  );
  expect(rows).toHaveLength(count);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again among runs that call others start none twice, and each caller gets its result', async () => {
  peerMs = 20;
  const before = calls.length;
  const count = 30;
  const child = await runs.makeWorkflow(workspace, {
    input: [{ name: 'n', title: 'N', type: 'number', required: true }],
    steps: [tool('call'), { ...tool('again'), id: 'again' }],
    output: '=input.n',
  });
  const sub = { id: 'sub', name: 'Sub', kind: 'sub_workflow', workflow: child.artifactId, input: { n: '=item' } };
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${count}]`, atOnce: 4, collect: '=steps.sub' };
  await spawnWorker();
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ ...loop, branches: [{ label: 'each', steps: [sub] }] }] }),
  );
  await killWhileCalled(before + count * 2);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { count, ok: count, failed: 0, results: Array.from({ length: count }, (_, index) => index + 1) },
  });
  const { rows } = await database.owner.query(
    `select s.run_id || '/' || s.path as key, s.finished_at from quorate.runs r join quorate.steps s on s.run_id = r.id
     where r.caller_run_id = $1 and s.kind = 'tool'`,
    [runId],
  );
  expect(rows).toHaveLength(count * 2);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

/** Starts a run that continues an ended one from this step. */
async function retry(runId: string, workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>, path: string): Promise<string> {
  const statuses = new Map((await runs.steps(runId)).map((step) => [step.path, step.status]));
  const plan = planFork(workflow.document, statuses, path);
  if (plan === null) throw new Error('the run never came to the step');
  return runs.start(workspace, workflow, {}, null, { runId, path, plan });
}

test('workers killed again and again in a loop that is tried again make only what had failed, each once', async () => {
  peerMs = 20;
  const count = 60;
  const loop = {
    id: 'lines',
    name: 'Lines',
    kind: 'for_each',
    items: `=[1..${count}]`,
    atOnce: 4,
    collect: '=item',
    onItemError: 'continue',
  };
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [{ ...loop, branches: [{ label: 'each', steps: [tool('call'), tool('book')] }] }],
  });
  await spawnWorker();
  refuses = (key) => /\/\d*[05]\/book$/.test(key);
  const first = await runs.start(workspace, workflow);
  expect(await runs.until(first, ['completed', 'failed'])).toMatchObject({ output: { ok: 48, failed: 12 } });
  refuses = () => false;
  const before = calls.length;
  const second = await retry(first, workflow, 'lines');
  await killWhileCalled(before + 12);
  expect(await runs.until(second, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { count, ok: count, failed: 0, results: Array.from({ length: count }, (_, index) => index + 1) },
  });
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, finished_at from quorate.steps where run_id = $1 and kind = 'tool'`,
    [second],
  );
  expect(rows).toHaveLength(count * 2);
  expect(calls.slice(before).filter(({ key }) => !/\/\d*[05]\/book$/.test(key))).toEqual([]);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again among sub-workflows that are tried again repeat no step that their earlier runs had done', async () => {
  peerMs = 20;
  const count = 20;
  const child = await runs.makeWorkflow(workspace, { steps: [tool('call'), tool('book')], output: '="booked"' });
  const sub = { id: 'sub', name: 'Sub', kind: 'sub_workflow', workflow: child.artifactId };
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${count}]`, atOnce: 4, onItemError: 'continue' };
  const workflow = await runs.makeWorkflow(workspace, { steps: [{ ...loop, branches: [{ label: 'each', steps: [sub] }] }] });
  await spawnWorker();
  refuses = (key) => key.endsWith('/book');
  const first = await runs.start(workspace, workflow);
  expect(await runs.until(first, ['completed', 'failed'])).toMatchObject({ output: { ok: 0, failed: count } });
  refuses = () => false;
  const before = calls.length;
  const second = await retry(first, workflow, 'lines');
  await killWhileCalled(before + count);
  expect(await runs.until(second, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { ok: count, results: Array.from({ length: count }, () => 'booked') },
  });
  const { rows } = await database.owner.query(
    `select s.run_id || '/' || s.path as key, s.finished_at, r.parent_run_id from quorate.runs r join quorate.steps s on s.run_id = r.id
     where r.caller_run_id = $1 and s.kind = 'tool'`,
    [second],
  );
  expect(rows).toHaveLength(count * 2);
  expect(new Set(rows.map((row) => row.parent_run_id)).size).toBe(count);
  expect(calls.slice(before).filter(({ key }) => !key.endsWith('/book'))).toEqual([]);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again while runs wait make no call twice, and each run waits until the instant it began with', async () => {
  peerMs = 20;
  const before = calls.length;
  const rest = { id: 'rest', name: 'Rest', kind: 'wait', seconds: 4 };
  const workflow = await runs.makeWorkflow(workspace, { steps: [tool('first'), rest, tool('then')] });
  await spawnWorker();
  const started: string[] = [];
  let offering = true;
  const offer = (async () => {
    while (offering) {
      started.push(await runs.start(workspace, workflow));
      await pause(150);
    }
  })();
  for (let n = 0; n < KILLS; n += 1) {
    // Some runs are in their wait by now, and others come out of it.
    await expect
      .poll(
        async () => (await database.owner.query(`select from quorate.runs where status = 'waiting' and id = any ($1)`, [started])).rowCount,
        {
          timeout: 60_000,
        },
      )
      .toBeGreaterThan(2);
    const [oldest] = workers.splice(0, 1);
    if (oldest !== undefined) await kill(oldest);
    await spawnWorker();
  }
  offering = false;
  await offer;
  for (const runId of started) expect(await runs.until(runId, ['completed', 'failed'], 60_000)).toMatchObject({ status: 'completed' });
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, kind, input ->> 'until' as until, output ->> 'until' as waited, finished_at
     from quorate.steps where run_id = any ($1)`,
    [started],
  );
  expect(rows).toHaveLength(started.length * 3);
  const waits = rows.filter(({ kind }) => kind === 'wait');
  expect(waits.filter(({ until, waited, finished_at }) => until !== waited || finished_at < new Date(until))).toEqual([]);
  expect(
    repeatedAfterEnd(
      rows.filter(({ kind }) => kind === 'tool'),
      before,
    ),
  ).toEqual([]);
}, 300_000);

test('workers killed again and again while failed runs are cleaned up repeat no step of it that has ended', async () => {
  peerMs = 20;
  const before = calls.length;
  const count = 30;
  const fails = { id: 'fails', name: 'Fails', kind: 'transform', expression: '$sum(["x"])' };
  const branches = [
    { label: 'on_failure', steps: [tool('undo'), tool('mail')] },
    { label: 'on_cancel', steps: [] },
  ];
  const end = { id: 'end', name: 'End', kind: 'cleanup', branches };
  const workflow = await runs.makeWorkflow(workspace, { steps: [tool('done'), fails, end] });
  await spawnWorker();
  const started: string[] = [];
  for (let n = 0; n < count; n += 1) started.push(await runs.start(workspace, workflow));
  await killWhileCalled(before + count * 3);
  for (const runId of started)
    expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { step: 'fails' } });
  const { rows } = await database.owner.query(
    `select run_id || '/' || path as key, status, finished_at from quorate.steps where run_id = any ($1) and kind = 'tool'`,
    [started],
  );
  expect(rows.filter(({ status }) => status === 'success')).toHaveLength(count * 3);
  expect(repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);
