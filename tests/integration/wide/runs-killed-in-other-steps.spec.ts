/** The same of the other kinds of steps, and of what is tried again. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { KILLS, type KilledWorkers, startKilledWorkers } from '#tests/integration/support/killed-workers.ts';

let world: KilledWorkers;
beforeAll(async () => {
  world = await startKilledWorkers();
});
afterEach(() => world.killAll());
afterAll(() => world?.close());

test('workers killed again and again in a step that is repeated make no round twice', async () => {
  world.peerMs = 20;
  const before = world.calls.length;
  const count = 40;
  const add = { id: 'add', name: 'Add', kind: 'transform', expression: '=(last ? last : 0) + 1' };
  const again = { id: 'again', name: 'Again', kind: 'repeat', until: `=steps.add = ${count}`, rounds: count };
  await world.spawnWorker();
  const runId = await world.runs.start(
    world.workspace,
    await world.runs.makeWorkflow(world.workspace, {
      steps: [{ ...again, branches: [{ label: 'round', steps: [world.tool('call'), add] }] }],
    }),
  );
  await world.killWhileCalled(before + count);
  expect(await world.runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { rounds: count, done: true, result: count },
  });
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, finished_at from quorate.steps where run_id = $1 and kind = 'tool'`,
    [runId],
  );
  expect(rows).toHaveLength(count);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again in a loop that is tried again make only what had failed, each once', async () => {
  world.peerMs = 20;
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
  const workflow = await world.runs.makeWorkflow(world.workspace, {
    steps: [{ ...loop, branches: [{ label: 'each', steps: [world.tool('call'), world.tool('book')] }] }],
  });
  await world.spawnWorker();
  world.refuses = (key) => /\/\d*[05]\/book$/.test(key);
  const first = await world.runs.start(world.workspace, workflow);
  expect(await world.runs.until(first, ['completed', 'failed'])).toMatchObject({ output: { ok: 48, failed: 12 } });
  world.refuses = () => false;
  const before = world.calls.length;
  const second = await world.retry(first, workflow, 'lines');
  await world.killWhileCalled(before + 12);
  expect(await world.runs.until(second, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { count, ok: count, failed: 0, results: Array.from({ length: count }, (_, index) => index + 1) },
  });
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, finished_at from quorate.steps where run_id = $1 and kind = 'tool'`,
    [second],
  );
  expect(rows).toHaveLength(count * 2);
  expect(world.calls.slice(before).filter(({ key }) => !/\/\d*[05]\/book$/.test(key))).toEqual([]);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again among sub-workflows that are tried again repeat no step that their earlier runs had done', async () => {
  world.peerMs = 20;
  const count = 20;
  const child = await world.runs.makeWorkflow(world.workspace, { steps: [world.tool('call'), world.tool('book')], output: '="booked"' });
  const sub = { id: 'sub', name: 'Sub', kind: 'sub_workflow', workflow: child.artifactId };
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: `=[1..${count}]`, atOnce: 4, onItemError: 'continue' };
  const workflow = await world.runs.makeWorkflow(world.workspace, { steps: [{ ...loop, branches: [{ label: 'each', steps: [sub] }] }] });
  await world.spawnWorker();
  world.refuses = (key) => key.endsWith('/book');
  const first = await world.runs.start(world.workspace, workflow);
  expect(await world.runs.until(first, ['completed', 'failed'])).toMatchObject({ output: { ok: 0, failed: count } });
  world.refuses = () => false;
  const before = world.calls.length;
  const second = await world.retry(first, workflow, 'lines');
  await world.killWhileCalled(before + count);
  expect(await world.runs.until(second, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { ok: count, results: Array.from({ length: count }, () => 'booked') },
  });
  const { rows } = await world.database.owner.query(
    `select s.run_id || '/' || s.path as key, s.finished_at, r.parent_run_id from quorate.runs r join quorate.steps s on s.run_id = r.id
     where r.caller_run_id = $1 and s.kind = 'tool'`,
    [second],
  );
  expect(rows).toHaveLength(count * 2);
  expect(new Set(rows.map((row) => row.parent_run_id)).size).toBe(count);
  expect(world.calls.slice(before).filter(({ key }) => !key.endsWith('/book'))).toEqual([]);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);

test('workers killed again and again in an agent that goes on repeat none of its turns and calls that were done', async () => {
  world.peerMs = 20;
  const [turns, failing] = [16, 8];
  const { connection, capability } = world.tool('echo');
  const models = await world.runs.makeCapability(world.workspace, { name: 'small', kind: 'model' });
  const agent = await world.runs.makeAgent(world.workspace, {
    ...{ instructions: 'Be exact.', connection: models.slug, model: 'small', budget: { steps: turns * 2 } },
    tools: [{ kind: 'tool', connection, capability }],
  });
  await world.database.arrange(world.workspace.id, async (client) => {
    await client.query('update quorate.workspaces set config_revision = config_revision + 1 where id = $1', [world.workspace.id]);
  });
  world.answers = ({ messages }): Json => {
    if (!Array.isArray(messages)) return { ok: true };
    const turn = messages.filter((message) => (message as { role: string }).role === 'assistant').length + 1;
    const toolCalls = turn < turns ? [{ id: '0', name: `${connection}__${capability}`, input: { text: `${turn}` } }] : [];
    return { text: 'Done.', finishReason: 'stop', toolCalls, message: { role: 'assistant', content: `${turn}` } };
  };
  await world.spawnWorker();
  world.refuses = (key) => key.endsWith(`/agent/turn_${failing}`);
  const first = await world.runs.start(world.workspace, agent, { task: 'Sum it up' });
  expect(await world.runs.until(first, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { step: 'agent' } });
  world.refuses = () => false;
  const before = world.calls.length;
  const second = await world.retry(first, agent, 'agent');
  await world.killWhileCalled(before + (turns - failing) * 2);
  expect(await world.runs.until(second, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { answer: 'Done.' } });
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, finished_at from quorate.steps where run_id = $1 and path like 'agent/turn%'`,
    [second],
  );
  expect(rows).toHaveLength(turns * 2 - 1);
  const turnOf = (key: string) => Number(/turn_(\d+)/.exec(key)?.[1]);
  expect(world.calls.slice(before).filter(({ key }) => turnOf(key) < failing)).toEqual([]);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
  world.answers = () => ({ ok: true });
}, 300_000);

test('workers killed again and again while runs wait make no call twice, and each run waits until the instant it began with', async () => {
  world.peerMs = 20;
  const before = world.calls.length;
  const rest = { id: 'rest', name: 'Rest', kind: 'wait', seconds: 4 };
  const workflow = await world.runs.makeWorkflow(world.workspace, { steps: [world.tool('first'), rest, world.tool('then')] });
  await world.spawnWorker();
  const started: string[] = [];
  let offering = true;
  const offer = (async () => {
    while (offering) {
      started.push(await world.runs.start(world.workspace, workflow));
      await pause(150);
    }
  })();
  for (let n = 0; n < KILLS; n += 1) {
    // Some runs are in their wait by now, and others come out of it.
    await expect
      .poll(
        async () =>
          (await world.database.owner.query(`select from quorate.runs where status = 'waiting' and id = any ($1)`, [started])).rowCount,
        {
          timeout: 60_000,
        },
      )
      .toBeGreaterThan(2);
    const [oldest] = world.workers.splice(0, 1);
    if (oldest !== undefined) await world.kill(oldest);
    await world.spawnWorker();
  }
  offering = false;
  await offer;
  for (const runId of started)
    expect(await world.runs.until(runId, ['completed', 'failed'], 60_000)).toMatchObject({ status: 'completed' });
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, kind, input ->> 'until' as until, output ->> 'until' as waited, finished_at
     from quorate.steps where run_id = any ($1)`,
    [started],
  );
  expect(rows).toHaveLength(started.length * 3);
  const waits = rows.filter(({ kind }) => kind === 'wait');
  expect(waits.filter(({ until, waited, finished_at }) => until !== waited || finished_at < new Date(until))).toEqual([]);
  expect(
    world.repeatedAfterEnd(
      rows.filter(({ kind }) => kind === 'tool'),
      before,
    ),
  ).toEqual([]);
}, 300_000);

test('workers killed again and again while failed runs are cleaned up repeat no step of it that has ended', async () => {
  world.peerMs = 20;
  const before = world.calls.length;
  const count = 30;
  const fails = { id: 'fails', name: 'Fails', kind: 'transform', expression: '$sum(["x"])' };
  const branches = [
    { label: 'on_failure', steps: [world.tool('undo'), world.tool('mail')] },
    { label: 'on_cancel', steps: [] },
  ];
  const end = { id: 'end', name: 'End', kind: 'cleanup', branches };
  const workflow = await world.runs.makeWorkflow(world.workspace, { steps: [world.tool('done'), fails, end] });
  await world.spawnWorker();
  const started: string[] = [];
  for (let n = 0; n < count; n += 1) started.push(await world.runs.start(world.workspace, workflow));
  await world.killWhileCalled(before + count * 3);
  for (const runId of started)
    expect(await world.runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { step: 'fails' } });
  const { rows } = await world.database.owner.query(
    `select run_id || '/' || path as key, status, finished_at from quorate.steps where run_id = any ($1) and kind = 'tool'`,
    [started],
  );
  expect(rows.filter(({ status }) => status === 'success')).toHaveLength(count * 3);
  expect(world.repeatedAfterEnd(rows, before)).toEqual([]);
}, 300_000);
