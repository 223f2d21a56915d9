import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { KILLS, type KilledWorkers, startKilledWorkers } from '#tests/integration/support/killed-workers.ts';
import { full, killCount } from '#tests/survival/support/kills.ts';

let world: KilledWorkers;
beforeAll(async () => {
  world = await startKilledWorkers();
});
afterEach(() => world.killAll());
afterAll(() => world?.close());

test('a killed worker’s runs are taken over within seconds, and the step in flight is called again under its key', async () => {
  // longer than the second worker takes to start
  world.peerMs = 120_000;
  const first = await world.spawnWorker();
  const runId = await world.runs.start(
    world.workspace,
    await world.runs.makeWorkflow(world.workspace, { steps: [world.tool('a'), world.tool('b')] }),
  );
  await expect.poll(() => world.calls.filter((call) => call.key === `${runId}/a`).length, { timeout: 60_000 }).toBe(1);
  await world.spawnWorker();
  world.peerMs = 50;
  await world.kill(first);
  const killedAt = Date.now();
  await expect.poll(() => world.calls.filter((call) => call.key === `${runId}/a`).length, { timeout: 60_000 }).toBe(2);
  expect((world.calls.findLast((call) => call.key === `${runId}/a`)?.at ?? 0) - killedAt).toBeLessThan(15_000);
  expect(await world.runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 2 });
});

test('workers killed again and again under load lose nothing and repeat no completed step', async () => {
  world.peerMs = 30;
  const before = world.calls.length;
  const workflow = await world.runs.makeWorkflow(world.workspace, {
    steps: [
      world.tool('a'),
      {
        id: 'fork',
        name: 'Fork',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'left', steps: [world.tool('l')] },
          { label: 'right', steps: [world.tool('r')] },
        ],
      },
      world.tool('z'),
    ],
  });
  await world.spawnWorker();
  await world.spawnWorker();
  const acknowledged: string[] = [];
  let offering = true;
  const offer = (async () => {
    while (offering) {
      acknowledged.push(await world.runs.start(world.workspace, workflow));
      await pause(40);
    }
  })();
  for (let n = 0; n < KILLS; n += 1) {
    await pause(700);
    const [oldest] = world.workers.splice(0, 1);
    if (oldest !== undefined) await world.kill(oldest);
    await world.spawnWorker();
  }
  offering = false;
  await offer;
  for (const runId of acknowledged)
    expect(await world.runs.until(runId, ['completed', 'failed'], 30_000)).toMatchObject({ status: 'completed' });
  // a call that began after its step's result had been stored would be a completed step run again
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, status, finished_at from quorate.steps where run_id = any ($1) and kind = 'tool'`,
    [acknowledged],
  );
  expect(rows).toHaveLength(acknowledged.length * 4);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again in a loop repeat no item that has ended, and its results stand in order', async () => {
  world.peerMs = 20;
  const before = world.calls.length;
  const count = 60;
  const inner = { ...world.tool('call'), input: { text: '=$string(item)' } };
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${count}]`, atOnce: 4, collect: '=item' };
  await world.spawnWorker();
  const runId = await world.runs.start(
    world.workspace,
    await world.runs.makeWorkflow(world.workspace, { steps: [{ ...loop, branches: [{ label: 'each', steps: [inner] }] }] }),
  );
  await world.killWhileCalled(before + count);
  expect(await world.runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { count, ok: count, failed: 0, results: Array.from({ length: count }, (_, index) => index + 1) },
  });
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, idempotency_key, finished_at from quorate.steps where run_id = $1 and kind = 'tool'`,
    [runId],
  );
  expect(rows).toHaveLength(count);
  expect(rows.filter((row) => row.key !== row.idempotency_key)).toEqual([]);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test.runIf(full)(
  'workers killed again and again among runs that call others start none twice, and each caller gets its result',
  async () => {
    world.peerMs = 20;
    const before = world.calls.length;
    const count = 30;
    const child = await world.runs.makeWorkflow(world.workspace, {
      input: [{ name: 'n', title: 'N', type: 'number', required: true }],
      steps: [world.tool('call'), { ...world.tool('again'), id: 'again' }],
      output: '=input.n',
    });
    const sub = { id: 'sub', name: 'Sub', kind: 'sub_workflow', workflow: child.artifactId, input: { n: '=item' } };
    const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${count}]`, atOnce: 4, collect: '=steps.sub' };
    await world.spawnWorker();
    const runId = await world.runs.start(
      world.workspace,
      await world.runs.makeWorkflow(world.workspace, { steps: [{ ...loop, branches: [{ label: 'each', steps: [sub] }] }] }),
    );
    await world.killWhileCalled(before + count * 2);
    expect(await world.runs.until(runId, ['completed', 'failed'])).toMatchObject({
      status: 'completed',
      output: { count, ok: count, failed: 0, results: Array.from({ length: count }, (_, index) => index + 1) },
    });
    const { rows } = await world.database.owner.query(
      `select s.run_id || '/' || s.path as key, s.finished_at from quorate.runs r join quorate.steps s on s.run_id = r.id
     where r.caller_run_id = $1 and s.kind = 'tool'`,
      [runId],
    );
    expect(rows).toHaveLength(count * 2);
    expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
  },
  300_000,
);

test.runIf(full)(
  'workers killed again and again in a retry call nothing that had completed, in items, rounds and sub-workflows',
  async () => {
    world.peerMs = 20;
    const [items, rounds] = [60, 60];
    const child = await world.runs.makeWorkflow(world.workspace, { steps: [world.tool('call'), world.tool('book')] });
    const sub = { id: 'sub', name: 'Sub', kind: 'sub_workflow', workflow: child.artifactId };
    const add = { id: 'add', name: 'Add', kind: 'transform', expression: '=(last ? last : 0) + 1' };
    const lines = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${items}]`, atOnce: 4, collect: '=item' };
    const again = { id: 'again', name: 'Again', kind: 'repeat', until: `=steps.add = ${rounds}`, rounds };
    const workflow = await world.runs.makeWorkflow(world.workspace, {
      steps: [
        {
          ...{ id: 'both', name: 'Both', kind: 'branch', mode: 'parallel' },
          branches: [
            { label: 'left', steps: [{ ...lines, branches: [{ label: 'each', steps: [sub] }] }] },
            { label: 'right', steps: [{ ...again, branches: [{ label: 'round', steps: [world.tool('turn'), add] }] }] },
          ],
        },
      ],
    });
    const callsOf = async (runId: string) => {
      const { rows } = await world.database.owner.query(
        `select s.run_id || '/' || s.path as key, s.status, s.reason ->> 'key' as reason, s.finished_at, r.status as run from quorate.runs r
       join quorate.steps s on s.run_id = r.id where s.kind = 'tool' and (r.id = $1 or r.caller_run_id = $1)`,
        [runId],
      );
      return rows;
    };
    await world.spawnWorker();
    // The last book or turn of a third is refused: both branches are under way when the run fails.
    let books = 0;
    world.refuses = (key) => (key.endsWith('/book') && ++books > items / 3) || key.includes(`/again/${Math.floor(rounds / 2)}/`);
    const first = await world.runs.start(world.workspace, workflow);
    expect((await world.runs.until(first, ['completed', 'failed'])).status).toBe('failed');
    await expect.poll(async () => (await callsOf(first)).filter(({ run }) => !/completed|failed|cancelled/.test(run))).toEqual([]);
    const done = (await callsOf(first)).filter(({ status }) => status === 'success').length;
    world.refuses = () => false;
    const before = world.calls.length;
    const failed = (await world.runs.steps(first)).find(({ kind, status }) => /for_each|repeat/.test(kind) && status === 'error');
    const second = await world.retry(first, workflow, failed?.path ?? '');
    const toDo = items * 2 + rounds - done;
    await world.killWhileCalled(before + toDo, killCount(2));
    expect((await world.runs.until(second, ['completed', 'failed'])).status).toBe('completed');
    const rows = await callsOf(second);
    const kept = new Set(rows.filter(({ reason }) => reason === 'stepKept').map(({ key }) => key));
    const called = world.calls.slice(before).map(({ key }) => key);
    expect(called.filter((key) => kept.has(key))).toEqual([]);
    expect([done > 0, new Set(called).size]).toEqual([true, toDo]);
    expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
    const ended = (await world.runs.steps(second)).filter(({ path }) => /^both\/(left\/lines|right\/again)$/.test(path));
    expect(ended.map(({ output }) => output)).toMatchObject([
      { ok: items, results: Array.from({ length: items }, (_, index) => index + 1) },
      { rounds, done: true },
    ]);
  },
  600_000,
);
