/** Runs that continue from a loop, an agent or a sub-workflow: what had been done is not done again. What becomes of kills is in runs-killed. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { type DataChange, planFork } from '#app/domain/runs/run-fork.ts';
import { PeerError } from '#app/engine/connections/peer.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls: Json[] = [];
let refused: ReadonlySet<Json> = new Set();
let models: string;
/** The questions that the model was asked, and how it answers at a turn. */
let asked: Json[] = [];
let think: (turn: number) => Json = () => null;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  models = (await runs.makeCapability(workspace, { name: 'small', kind: 'model' })).slug;
  await runs.startWorker(async ({ peer, input }) => {
    if (peer.kind === 'model') {
      const messages = input.messages as { role: string }[];
      asked.push(messages);
      return { output: think(messages.filter(({ role }) => role === 'assistant').length + 1), protocolVersion: '' };
    }
    calls.push(input.text ?? null);
    if (refused.has(input.text ?? null))
      throw new PeerError({ key: 'peerInputRefused', values: { message: 'no', capability: 'x' }, retryable: false });
    return { output: { echoed: input.text ?? null }, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
  asked = [];
  refused = new Set();
});

type Workflow = Awaited<ReturnType<RunFixture['makeWorkflow']>>;
const call = (id: string, text: string) => ({
  id,
  name: id,
  kind: 'tool',
  connection: slug,
  capability: 'echo',
  input: { text },
  retries: 0,
});
const loop = (steps: object[], more: object = {}) => ({
  ...{ id: 'lines', name: 'Lines', kind: 'for_each', items: '=[1..4]', atOnce: 1, collect: '=item' },
  ...more,
  branches: [{ label: 'each', steps }],
});
const sub = ({ artifactId }: Workflow, more: object = {}) => ({
  id: 'sub',
  name: 'Sub',
  kind: 'sub_workflow',
  workflow: artifactId,
  ...more,
});
const make = (steps: object[], more: object = {}) => runs.makeWorkflow(workspace, { steps, ...more });
const ended = (runId: string) => runs.until(runId, ['completed', 'failed', 'cancelled']);
async function retry(runId: string, workflow: Workflow, path: string, changed?: DataChange) {
  calls = [];
  refused = new Set();
  const plan = planFork(workflow.document, new Map((await runs.steps(runId)).map((step) => [step.path, step.status])), path);
  if (plan === null) throw new Error('the run never came to the step');
  const from = { runId, path, plan, ...(changed === undefined ? {} : { changed }) };
  return runs.start(workspace, workflow, (await runs.run(runId)).input, null, from);
}
const runOf = async (runId: string, path: string) => (await runs.steps(runId)).find((step) => step.path === path);
const waitsFor = (runId: string, key: string) =>
  expect
    .poll(async () => (await runOf(runId, 'sub'))?.reason?.key, { timeout: 20_000 })
    .toBe(key)
    .then(() => runs.until(runId, ['waiting']));
/** A run whose sub-workflow has failed at `y`, once somebody let it come there. */
async function failedBelow(steps: object[], more: object = {}, after: object[] = []) {
  const child = await make(steps, { output: '=steps.y.echoed' });
  const workflow = await make([sub(child, more), ...after], { output: '=steps.sub' });
  refused = new Set(['y']);
  const first = await runs.start(workspace, workflow);
  if (steps.some((step) => 'question' in step)) {
    await expect.poll(async () => (await calledBy(first))[0]?.status, { timeout: 20_000 }).toBe('waiting');
    await runs.approve(workspace, (await calledBy(first))[0].id);
  }
  expect((await ended(first)).status).toBe('failed');
  return { child, workflow, first, called: (await calledBy(first))[0].id };
}
const ASK = { id: 'ask', name: 'Ask', kind: 'approval', question: 'May it?' };
const calledBy = async (runId: string) =>
  (await database.owner.query('select * from quorate.runs where caller_run_id = $1 order by caller_path', [runId])).rows;

test('a loop that stopped at an item keeps those that were done, and does that item and the ones after it', async () => {
  const workflow = await make([call('before', 'before'), loop([call('a', '="a" & item'), call('b', '="b" & item')])]);
  refused = new Set(['b2']);
  const first = await runs.start(workspace, workflow);
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { step: 'lines' } });
  expect(calls).toEqual(['before', 'a1', 'b1', 'a2', 'b2']);
  const second = await retry(first, workflow, 'lines');
  expect(await ended(second)).toMatchObject({ status: 'completed', output: { count: 4, ok: 4, results: [1, 2, 3, 4] } });
  expect(calls).toEqual(['b2', 'a3', 'b3', 'a4', 'b4']);
  const kept = (await runs.steps(second)).filter(({ reason }) => reason?.key === 'stepKept').map(({ path }) => path);
  expect(kept.toSorted()).toEqual(['before', 'lines/0/a', 'lines/0/b', 'lines/1/a']);
  expect((await runs.run(second)).journal_hash).toMatch(/^[0-9a-f]{64}$/);
});

test('one that went on in spite of errors does the failed items, and one that failed nowhere is done as a whole', async () => {
  const workflow = await make([loop([call('a', '="a" & item')], { onItemError: 'continue' })]);
  refused = new Set(['a2', 'a4']);
  const first = await runs.start(workspace, workflow);
  expect(await ended(first)).toMatchObject({ status: 'completed', output: { ok: 2, failed: 2 } });
  const second = await retry(first, workflow, 'lines');
  expect(await ended(second)).toMatchObject({ status: 'completed', output: { ok: 4, failed: 0, results: [1, 2, 3, 4] } });
  expect(calls).toEqual(['a2', 'a4']);
  const third = await retry(second, workflow, 'lines');
  await ended(third);
  expect(calls).toEqual(['a1', 'a2', 'a3', 'a4']);
});

test('a repetition goes on with the round that failed, also inside an item, and may make as many rounds more where all were used up', async () => {
  const add = { id: 'add', name: 'Add', kind: 'transform', expression: '=(last ? last : 0) + 1' };
  const repeat = (inner: object[], more: object = {}) => ({
    ...{ id: 'again', name: 'Again', kind: 'repeat', until: '=steps.add = 4', rounds: 10 },
    ...more,
    branches: [{ label: 'round', steps: inner }],
  });
  const workflow = await make([repeat([call('a', '="a" & index'), call('b', '="b" & index'), add])]);
  refused = new Set(['b2']);
  const first = await runs.start(workspace, workflow);
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { step: 'again' } });
  expect(calls).toEqual(['a0', 'b0', 'a1', 'b1', 'a2', 'b2']);
  const second = await retry(first, workflow, 'again');
  expect(await ended(second)).toMatchObject({ status: 'completed', output: { rounds: 4, done: true, result: 4 } });
  expect(calls).toEqual(['b2', 'a3', 'b3']);

  const short = await make([repeat([call('a', '="a" & index'), add], { rounds: 2 })]);
  const third = await runs.start(workspace, short);
  expect(await ended(third)).toMatchObject({ status: 'failed', error: { key: 'repeatLimit', values: { limit: 2 } } });
  const fourth = await retry(third, short, 'again');
  expect(await ended(fourth)).toMatchObject({ status: 'completed', output: { rounds: 4, done: true } });
  expect(calls).toEqual(['a2', 'a3']);

  const inItems = await make([
    loop([repeat([call('a', '="a" & item & index'), add], { until: '=steps.add = 2' })], { onItemError: 'continue' }),
  ]);
  refused = new Set(['a31']);
  const fifth = await runs.start(workspace, inItems);
  expect(await ended(fifth)).toMatchObject({ output: { ok: 3, failed: 1 } });
  const sixth = await retry(fifth, inItems, 'lines');
  expect(await ended(sixth)).toMatchObject({ status: 'completed', output: { ok: 4, results: [1, 2, 3, 4] } });
  expect(calls).toEqual(['a31']);
});

test('what ran at the same time as the failed step is kept, and goes on where it had not ended', async () => {
  const both = {
    ...{ id: 'both', name: 'Both', kind: 'branch', mode: 'parallel' },
    branches: [
      { label: 'fails', steps: [call('f', 'f')] },
      { label: 'done', steps: [call('d', 'd'), call('e', 'e')] },
      { label: 'begun', steps: [loop([call('a', '="a" & item')]), call('after', 'after')] },
    ],
  };
  const workflow = await make([both]);
  refused = new Set(['f', 'a3']);
  const first = await runs.start(workspace, workflow);
  expect((await ended(first)).status).toBe('failed');
  const done = new Set(
    (await runs.steps(first)).filter(({ status, kind }) => status === 'success' && kind === 'tool').map(({ path }) => path),
  );
  const second = await retry(first, workflow, 'both/fails/f');
  expect((await ended(second)).status).toBe('completed');
  const repeated = (await runs.steps(second)).filter(({ path, reason }) => done.has(path) && reason?.key !== 'stepKept');
  expect(repeated).toEqual([]);
  expect(new Set(calls).size).toBe(calls.length);
  expect(calls.length + done.size).toBe(8);
});

test('with changed data a loop begins again, since its list may be another', async () => {
  const workflow = await make([
    call('before', 'before'),
    loop([call('a', '="a" & item')], { items: '=steps.before.echoed = "before" ? [1, 2] : [3]' }),
  ]);
  refused = new Set(['a2']);
  const first = await runs.start(workspace, workflow);
  await ended(first);
  const value = { echoed: 'after' };
  const second = await retry(first, workflow, 'lines', { path: 'before', part: 'output', value, before: 'x', after: 'y' });
  await runs.until(second, ['waiting']);
  await runs.approve(workspace, second);
  expect(await ended(second)).toMatchObject({ status: 'completed', output: { results: [3] } });
  expect(calls).toEqual(['a3']);
});

test('a sub-workflow is tried again from its own failed step, in its version and with its input, also two deep', async () => {
  const inner = await make([call('x', 'x'), call('y', 'y')], { output: '=steps.y.echoed' });
  const middle = await make([call('m', '="m" & input.n'), sub(inner)], {
    input: [{ name: 'n', title: 'N', type: 'number' }],
    output: '=steps.sub',
  });
  const workflow = await make([call('before', 'before'), sub(middle, { input: { n: '=7' } })], { output: '=steps.sub' });
  refused = new Set(['y']);
  const first = await runs.start(workspace, workflow);
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { step: 'sub' } });
  expect(calls).toEqual(['before', 'm7', 'x', 'y']);
  const second = await retry(first, workflow, 'sub');
  expect(await ended(second)).toMatchObject({ status: 'completed', output: 'y' });
  expect(calls).toEqual(['y']);
  const [earlier] = await calledBy(first);
  const [later] = await calledBy(second);
  expect(later).toMatchObject({
    parent_run_id: earlier.id,
    version_id: earlier.version_id,
    input: { n: 7 },
    initiator_id: workspace.builder.id,
  });
  const { rows } = await database.owner.query(
    `select payload from quorate.audit_events where resource_id = $1 and action = 'run.started'`,
    [later.id],
  );
  expect(rows).toMatchObject([{ payload: { caller: second, callerStep: 'sub', from: earlier.id, fromStep: 'sub' } }]);
  const row = (await runs.steps(second)).find(({ path }) => path === 'sub');
  expect(row).toMatchObject({
    status: 'success',
    reason: { key: 'calledRunContinued', values: { run: earlier.id } },
    input: { run: later.id },
  });
});

test('policies and approvals of the sub-workflow are asked again, and one whose run was deleted says so', async () => {
  const child = await make([{ id: 'ask', name: 'Ask', kind: 'approval', question: 'May it?' }, call('x', 'x'), call('y', 'y')]);
  const workflow = await make([sub(child)]);
  refused = new Set(['y']);
  const first = await runs.start(workspace, workflow);
  await expect.poll(async () => (await calledBy(first))[0]?.status, { timeout: 20_000 }).toBe('waiting');
  await runs.approve(workspace, (await calledBy(first))[0].id);
  expect((await ended(first)).status).toBe('failed');
  const second = await retry(first, workflow, 'sub');
  await expect.poll(async () => (await calledBy(second))[0]?.status, { timeout: 20_000 }).toBe('waiting');
  await runs.approve(workspace, (await calledBy(second))[0].id);
  expect((await ended(second)).status).toBe('completed');
  expect(calls).toEqual(['y']);
  const { rows } = await database.owner.query(
    'select path from quorate.steps s join quorate.decisions d using (run_id) where s.run_id = $1 and s.path = d.step_path',
    [(await calledBy(second))[0].id],
  );
  expect(rows).toEqual([{ path: 'y' }]);
});

test('a called run that somebody has retried by hand gives its result, or is waited for', async () => {
  const { child, workflow, first, called } = await failedBelow([call('x', 'x'), call('y', 'y')]);
  const byHand = await retry(called, child, 'y');
  expect((await ended(byHand)).status).toBe('completed');
  const second = await retry(first, workflow, 'sub');
  expect(await ended(second)).toMatchObject({ status: 'completed', output: 'y' });
  expect(calls).toEqual([]);
  expect(await calledBy(second)).toEqual([]);
  expect(await runOf(second, 'sub')).toMatchObject({ reason: { key: 'calledRunTaken', values: { run: byHand } }, input: { run: byHand } });

  const asking = await failedBelow([call('x', 'x'), ASK, call('y', 'y')]);
  const open = await retry(asking.called, asking.child, 'y');
  await runs.until(open, ['waiting']);
  const third = await retry(asking.first, asking.workflow, 'sub');
  await waitsFor(third, 'calledRunAwaited');
  expect((await runOf(third, 'sub'))?.reason.values).toMatchObject({ run: asking.called, awaits: open });
  await runs.approve(workspace, open);
  expect(await ended(third)).toMatchObject({ status: 'completed', output: 'y' });
  expect(calls).toEqual(['y']);
});

test('where what somebody retried by hand fails too, its journal is continued, in every later retry', async () => {
  const { child, workflow, first, called } = await failedBelow([call('x', 'x'), ASK, call('y', 'y'), call('z', 'z')]);
  const byHand = await retry(called, child, 'y');
  refused = new Set(['z']);
  await runs.until(byHand, ['waiting']);
  await runs.approve(workspace, byHand);
  expect((await ended(byHand)).status).toBe('failed');
  // One that ends before it has begun the called run leaves it to the next.
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.artifacts set status = 'inactive' where id = $1`, [child.artifactId]);
  });
  const second = await retry(first, workflow, 'sub');
  expect((await ended(second)).status).toBe('failed');
  expect((await runOf(second, 'sub'))?.error).toMatchObject({ key: 'calledPaused' });
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.artifacts set status = 'active' where id = $1`, [child.artifactId]);
  });
  const third = await retry(second, workflow, 'sub');
  await expect.poll(async () => (await calledBy(third))[0]?.status, { timeout: 20_000 }).toBe('waiting');
  expect((await calledBy(third))[0].parent_run_id).toBe(byHand);
  await runs.approve(workspace, (await calledBy(third))[0].id);
  expect(await ended(third)).toMatchObject({ status: 'completed', output: 'y' });
  expect(calls).toEqual(['z']);
});

test('a called run that was cancelled continues where it stopped, and one that completed after all gives its result', async () => {
  const child = await make([call('x', 'x'), ASK, call('y', 'y')], { output: '=steps.y.echoed' });
  const workflow = await make([sub(child)], { output: '=steps.sub' });
  const first = await runs.start(workspace, workflow);
  await expect.poll(async () => (await calledBy(first))[0]?.status, { timeout: 20_000 }).toBe('waiting');
  const [{ id: called }] = await calledBy(first);
  const ask = { workspaceId: workspace.id, runId: called, memberId: workspace.builder.id };
  await runs.asMember(workspace, workspace.builder, async (db) => ({ result: null, event: await cancelRun(db, runs, ask) }));
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { key: 'calledRunCancelled' } });
  const second = await retry(first, workflow, 'sub');
  await expect.poll(async () => (await calledBy(second))[0]?.status, { timeout: 20_000 }).toBe('waiting');
  await runs.approve(workspace, (await calledBy(second))[0].id);
  expect(await ended(second)).toMatchObject({ status: 'completed', output: 'y' });
  expect(calls).toEqual(['y']);

  // It had ended well, and the run that had called it ended before it heard of it.
  const quick = await make([call('x', 'x')], { output: '=steps.x.echoed' });
  const around = await make([sub(quick)], { output: '=steps.sub' });
  const third = await runs.start(workspace, around);
  await ended(third);
  await database.owner.query(`update quorate.steps set status = 'error', output = null where run_id = $1 and path = 'sub'`, [third]);
  const fourth = await retry(third, around, 'sub');
  expect(await ended(fourth)).toMatchObject({ status: 'completed', output: 'x' });
  expect([calls, (await runOf(fourth, 'sub'))?.reason.key]).toEqual([[], 'calledRunTaken']);
});

test('a result of another version than the one that the step asks for is not taken, and one of changed data counts as high risk', async () => {
  const pinned = await failedBelow([call('x', 'x'), call('y', 'y')], { version: 1 });
  const newer = newId();
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 2, $4, 'h2', $5)`,
      [newer, workspace.id, pinned.child.artifactId, JSON.stringify(pinned.child.document), workspace.admin.id],
    );
  });
  refused = new Set();
  const plan = planFork(pinned.child.document, new Map(), null);
  if (plan === null) throw new Error('no plan');
  const anew = await runs.start(workspace, { ...pinned.child, versionId: newer }, {}, null, { runId: pinned.called, path: null, plan });
  expect((await ended(anew)).status).toBe('completed');
  const second = await retry(pinned.first, pinned.workflow, 'sub');
  expect((await ended(second)).status).toBe('completed');
  expect([calls, (await calledBy(second))[0].parent_run_id]).toEqual([['y'], pinned.called]);

  const { child, workflow, first, called } = await failedBelow([call('x', 'x'), call('y', 'y')]);
  const value = { text: 'w' };
  const byHand = await retry(called, child, 'y', { path: 'y', part: 'input', value, before: 'x', after: 'y' });
  await runs.until(byHand, ['waiting', 'completed']);
  if ((await runs.run(byHand)).status === 'waiting') await runs.approve(workspace, byHand);
  expect((await ended(byHand)).status).toBe('completed');
  const third = await retry(first, workflow, 'sub');
  expect(await ended(third)).toMatchObject({ status: 'completed', output: 'w' });
  expect((await runOf(third, 'sub'))?.reason).toMatchObject({ key: 'calledRunTaken', values: { changed: true } });
});

/** An answer of a model that asks for a call with each of these texts. */
const says = (...texts: string[]): Json => ({
  text: texts.length === 0 ? 'Done.' : '',
  finishReason: 'stop',
  toolCalls: texts.map((text, index) => ({ id: `${index}`, name: `${slug}__echo`, input: { text } })),
  message: { role: 'assistant', content: texts.join(' ') },
});
const down = (retryable = false): never => {
  throw new PeerError({ key: 'peerFailed', values: { status: 500 }, retryable, happened: 'no' });
};
async function makeAgent(more: object = {}) {
  const agent = await runs.makeAgent(workspace, {
    instructions: 'Be exact.',
    connection: models,
    model: 'small',
    tools: [{ kind: 'tool', connection: slug, capability: 'echo' }],
    ...more,
  });
  await database.arrange(workspace.id, async (client) => {
    await client.query('update quorate.workspaces set config_revision = config_revision + 1 where id = $1', [workspace.id]);
  });
  return agent;
}
const workOn = (agent: Workflow) => runs.start(workspace, agent, { task: 'Sum it up' });

test('an agent whose model fails for a while asks it again, and repeats none of its calls', async () => {
  const agent = await makeAgent();
  let failures = 0;
  think = (turn) => {
    if (turn === 1) return says('a');
    failures += 1;
    return failures === 1 ? down(true) : says();
  };
  expect(await ended(await workOn(agent))).toMatchObject({ status: 'completed', output: { answer: 'Done.', calls: 3 } });
  expect([calls, failures]).toEqual([['a'], 2]);
});

test('an agent goes on after the calls that it made, and only a failed one that its model has not heard of is made again', async () => {
  const agent = await makeAgent();
  refused = new Set(['told', 'fresh']);
  think = (turn) => [says('a', 'told'), says('b', 'fresh')][turn - 1] ?? down();
  const first = await workOn(agent);
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { key: 'peerFailed', step: 'agent' } });
  expect(calls).toEqual(['a', 'told', 'b', 'fresh']);
  const told = asked.at(-1) as Json[];

  think = () => says();
  const second = await retry(first, agent, 'agent');
  expect(await ended(second)).toMatchObject({ status: 'completed', output: { answer: 'Done.', calls: 2 } });
  expect(calls).toEqual(['fresh']);
  // It is asked what it had been asked, but for the result of the call that was made again.
  expect((asked.at(-1) as Json[]).slice(0, -1)).toEqual(told.slice(0, -1));
  expect(JSON.stringify((asked.at(-1) as Json[]).at(-1))).toContain('fresh');
  const steps = await runs.steps(second);
  expect(steps.filter(({ reason }) => reason?.key === 'stepKept').map(({ path }) => path)).toEqual(
    ['turn_1', 'turn_1_call_1', 'turn_1_call_2', 'turn_2', 'turn_2_call_1'].map((part) => `agent/${part}`),
  );
  const row = steps.find(({ path }) => path === 'agent');
  expect(row).toMatchObject({ status: 'success', reason: { key: 'agentContinues', values: { run: first, agent: 'Test agent' } } });
  expect(row.input.task).toBe('Sum it up');
  const { created_at: begun, journal_hash: hash } = await runs.run(second);
  expect([row.started_at >= begun, hash]).toEqual([true, expect.stringMatching(/^[0-9a-f]{64}$/)]);

  // One that succeeded is done as a whole: somebody wants it again.
  think = (turn) => (turn === 1 ? says('a') : says());
  await ended(await retry(second, agent, 'agent'));
  expect(calls).toEqual(['a']);
});

test('an agent that had used up its budget has it anew, also after a retry that failed, and an answer that it could not read is asked for again', async () => {
  const agent = await makeAgent({ budget: { steps: 3 } });
  think = (turn) => [says('a'), says('b'), says('c')][turn - 1] ?? says();
  const first = await workOn(agent);
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { key: 'agentBudgetSteps' } });
  expect(calls).toEqual(['a']);
  const second = await retry(first, agent, 'agent');
  expect(await ended(second)).toMatchObject({ status: 'failed', error: { key: 'agentBudgetSteps' } });
  expect(calls).toEqual(['b', 'c']);
  think = () => ({ nonsense: true });
  const third = await retry(second, agent, 'agent');
  expect(await ended(third)).toMatchObject({ status: 'failed', error: { key: 'agentAnswerUnreadable' } });
  think = () => says();
  const fourth = await retry(third, agent, 'agent');
  expect(await ended(fourth)).toMatchObject({ status: 'completed', output: { answer: 'Done.', calls: 1 } });
  expect(calls).toEqual([]);
});

/** A workflow around steps of an agent. */
async function around(agent: Workflow, steps: object[], more: object = {}): Promise<Workflow> {
  const workflow = await make(steps, more);
  const versionId = newId();
  const document = (await database.owner.query('select document from quorate.versions where id = $1', [agent.versionId])).rows[0].document;
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 2, $4, 'h2', $5)`,
      [versionId, workspace.id, workflow.artifactId, JSON.stringify({ ...workflow.document, agents: document.agents }), workspace.admin.id],
    );
    await client.query('update quorate.artifacts set published_version_id = $2 where id = $1', [workflow.artifactId, versionId]);
  });
  return { ...workflow, versionId };
}

test('an agent in the item of a loop that failed goes on there', async () => {
  const agent = await makeAgent();
  const step = { ...agent.document.steps[0], input: { task: '="item " & item' } };
  const workflow = await around(agent, [loop([step, call('after', '="after" & item')], { items: '=[1..2]', onItemError: 'continue' })]);
  think = (turn) => {
    const second = JSON.stringify(asked.at(-1)).includes('item 2');
    return turn === 1 ? says(second ? 'two' : 'one') : second ? down() : says();
  };
  const first = await runs.start(workspace, workflow);
  expect(await ended(first)).toMatchObject({ status: 'completed', output: { ok: 1, failed: 1 } });
  expect(calls).toEqual(['one', 'after1', 'two']);
  think = () => says();
  const again = await retry(first, workflow, 'lines');
  expect(await ended(again)).toMatchObject({ status: 'completed', output: { ok: 2, failed: 0 } });
  expect(calls).toEqual(['after2']);
});

test('an agent in a branch of a parallel goes on there, and one beside it that was stopped goes on too', async () => {
  const agent = await makeAgent();
  const step = (id: string) => ({ ...agent.document.steps[0], id, input: { task: id } });
  const both = {
    ...{ id: 'both', name: 'Both', kind: 'branch', mode: 'parallel' },
    branches: [
      { label: 'one', steps: [step('left'), call('after', 'after')] },
      { label: 'other', steps: [step('right')] },
      { label: 'third', steps: [call('done', 'done')] },
    ],
  };
  const workflow = await around(agent, [both]);
  const own = () => (JSON.stringify(asked.at(-1)).includes('left') ? 'l' : 'r');
  think = (turn) => (turn === 1 ? says(own()) : down());
  const first = await runs.start(workspace, workflow);
  expect((await ended(first)).status).toBe('failed');
  const done = (await runs.steps(first)).filter(({ kind, status }) => kind === 'tool' && status === 'success');
  const failed = (await runs.steps(first)).find(({ path, status }) => /both\/\w+\/(?:left|right)$/.test(path) && status === 'error');
  think = (turn) => (turn === 1 ? says(own()) : says());
  const again = await retry(first, workflow, failed?.path ?? '');
  expect((await ended(again)).status).toBe('completed');
  const made = (await runs.steps(again)).filter(({ kind, reason }) => kind === 'tool' && reason?.key !== 'stepKept');
  expect(made.map(({ path }) => path).filter((path) => done.some((one) => one.path === path))).toEqual([]);
  expect([...done.map(({ path }) => path), ...made.map(({ path }) => path)].toSorted()).toEqual([
    ...['both/one/after', 'both/one/left/turn_1_call_1', 'both/other/right/turn_1_call_1', 'both/third/done'],
  ]);
  expect(await runOf(again, failed?.path ?? '')).toMatchObject({
    status: 'success',
    reason: { key: 'agentContinues', values: { run: first } },
  });
});

test('an agent of a called workflow goes on there, in the run that continues the called one', async () => {
  const agent = await makeAgent();
  const child = await around(agent, [call('x', 'x'), { ...agent.document.steps[0], input: { task: 'Sum it up' } }], {
    output: '=steps.agent.answer',
  });
  const workflow = await make([sub(child), call('after', 'after')], { output: '=steps.sub' });
  think = (turn) => (turn === 1 ? says('a', 'b') : down());
  const first = await runs.start(workspace, workflow);
  expect(await ended(first)).toMatchObject({ status: 'failed', error: { step: 'sub' } });
  expect(calls).toEqual(['x', 'a', 'b']);
  const told = asked.length;
  think = () => says();
  const again = await retry(first, workflow, 'sub');
  expect(await ended(again)).toMatchObject({ status: 'completed', output: 'Done.' });
  expect([calls, asked.length - told]).toEqual([['after'], 1]);
  const [[earlier], [later]] = [await calledBy(first), await calledBy(again)];
  expect(later.parent_run_id).toBe(earlier.id);
  expect(await runOf(later.id, 'agent')).toMatchObject({
    status: 'success',
    reason: { key: 'agentContinues', values: { run: earlier.id } },
  });
});
