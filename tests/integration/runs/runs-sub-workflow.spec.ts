/** Steps that run another workflow as a run of its own. What becomes of kills is in runs-killed and the interpreter's property. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
const peer: CallPeer = async ({ input }) => {
  const { text } = input as { text: string };
  if (text === 'refuse') throw new PeerError({ key: 'peerInputRefused', values: { capability: 'x', message: 'no' }, retryable: false });
  return { output: { echoed: text }, protocolVersion: '1' };
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker(peer);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

const TEXT = { name: 'text', title: 'Text', type: 'text', required: true };
const echo = {
  id: 'echo',
  name: 'Echo',
  kind: 'tool',
  get connection() {
    return slug;
  },
  capability: 'echo',
  input: { text: '=input.text' },
};
const approval = { id: 'ask', name: 'Ask', kind: 'approval', question: 'May it?' };
const call = (workflow: { artifactId: string } | string, more: object = {}) => ({
  id: 'sub',
  name: 'Sub',
  kind: 'sub_workflow',
  workflow: typeof workflow === 'string' ? workflow : workflow.artifactId,
  ...more,
});
const make = (steps: object[], more: object = {}) => runs.makeWorkflow(workspace, { steps, ...more });
const makeEcho = () => make([echo], { input: [TEXT], output: '=steps.echo.echoed' });
const start = async (steps: object[], more: object = {}, input = {}) => runs.start(workspace, await make(steps, more), input);
const ended = async (runId: string) => runs.until(runId, ['completed', 'failed', 'cancelled']);
async function calledBy(runId: string) {
  const { rows } = await database.owner.query('select * from quorate.runs where caller_run_id = $1 order by caller_path', [runId]);
  return rows;
}
const events = async (runId: string) => {
  const { rows } = await database.owner.query(
    'select action, actor_kind, payload from quorate.audit_events where resource_id = $1 order by at, id',
    [runId],
  );
  return rows;
};
/** Puts a second version of a workflow into force. */
async function publishNewer({ artifactId, document }: Awaited<ReturnType<typeof make>>, part: object): Promise<string> {
  const versionId = newId();
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 2, $4, 'h2', $5)`,
      [versionId, workspace.id, artifactId, JSON.stringify({ ...document, ...part }), workspace.admin.id],
    );
    await client.query('update quorate.artifacts set published_version_id = $2 where id = $1', [artifactId, versionId]);
  });
  return versionId;
}
const callerWaits = (runId: string) =>
  expect.poll(async () => [(await runs.run(runId)).status, (await calledBy(runId)).length], { timeout: 20_000 }).toEqual(['waiting', 1]);
const cancel = (runId: string) =>
  runs.asMember(workspace, workspace.builder, async (db) => {
    const ask = { workspaceId: workspace.id, runId, memberId: workspace.builder.id };
    return { result: null, event: await cancelRun(db, { enqueueRun: runs.enqueueRun }, ask) };
  });

test('the step has the output of a run of its own, which the log ties to its caller', async () => {
  const runId = await start(
    [call(await makeEcho(), { input: { text: '="a" & input.n' } })],
    { output: '=steps.sub', input: [{ ...TEXT, name: 'n' }] },
    { n: '7' },
  );
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: 'a7' });
  const [child] = await calledBy(runId);
  expect(child).toMatchObject({
    status: 'completed',
    trigger_kind: 'workflow',
    caller_path: 'sub',
    initiator_id: workspace.builder.id,
    mode: 'live',
    input: { text: 'a7' },
  });
  const [step] = await runs.steps(runId);
  expect(step).toMatchObject({ kind: 'sub_workflow', status: 'success', input: { run: child.id, version: 1 }, output: 'a7' });
  expect(step.reason).toMatchObject({ key: 'calledRun', values: { version: 1 } });
  const [began] = await events(child.id);
  expect(began).toMatchObject({ action: 'run.started', actor_kind: 'worker', payload: { caller: runId, callerStep: 'sub' } });
});

test('what it may not run starts nothing, and the step says why', async () => {
  const child = await makeEcho();
  const paused = await makeEcho();
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.artifacts set status = 'inactive' where id = $1`, [paused.artifactId]);
  });
  const cases: [object, string][] = [
    [call(child, { input: {} }), 'calledInput'],
    [call(child, { input: { text: 'a', other: 'b' } }), 'calledInput'],
    [call(child, { input: { text: '=[' } }), 'badExpression'],
    [call(child, { version: 2, input: { text: 'a' } }), 'calledUnknown'],
    [call(newId(), { input: { text: 'a' } }), 'calledUnknown'],
    [call(paused, { input: { text: 'a' } }), 'calledPaused'],
  ];
  for (const [step, key] of cases) {
    const runId = await start([step]);
    const { status, error } = await ended(runId);
    expect([status, key === 'badExpression' ? key : error.key]).toEqual(['failed', key]);
    expect(await calledBy(runId)).toEqual([]);
  }
});

test('a pinned version stays though a newer one is in force', async () => {
  const child = await make([{ id: 'say', name: 'Say', kind: 'transform', expression: '="one"' }], { output: '=steps.say' });
  await publishNewer(child, { output: '="two"' });
  expect((await ended(await start([call(child)], { output: '=steps.sub' }))).output).toBe('two');
  expect((await ended(await start([call(child, { version: 1 })], { output: '=steps.sub' }))).output).toBe('one');
});

test('workflows that call one another in a circle are stopped at the first that would wait for itself', async () => {
  const first = await make([{ id: 'later', name: 'Later', kind: 'transform', expression: '1' }]);
  const second = await make([call(first)]);
  const newer = await publishNewer(first, { steps: (await make([call(second)])).document.steps });
  const runId = await runs.start(workspace, { ...first, versionId: newer });
  expect(await ended(runId)).toMatchObject({ status: 'failed', error: { key: 'calledRunFailed' } });
  const [child] = await calledBy(runId);
  expect((await runs.steps(child.id))[0].error).toMatchObject({ key: 'calledCycle' });
  expect(await calledBy(child.id)).toEqual([]);
});

test('eight runs may wait for one another, and no more', async () => {
  let next = await make([{ id: 'end', name: 'End', kind: 'transform', expression: '1' }]);
  for (let n = 0; n < 7; n += 1) next = await make([call(next)]);
  expect(await ended(await runs.start(workspace, next))).toMatchObject({ status: 'completed' });
  const tooDeep = await runs.start(workspace, await make([call(next)]));
  expect(await ended(tooDeep)).toMatchObject({ status: 'failed' });
  const { rows } = await database.owner.query(`select error ->> 'key' as key from quorate.steps where error ->> 'key' = 'calledDeep'`);
  expect(rows).toEqual([{ key: 'calledDeep' }]);
});

test('its failure is the step’s, after which the caller goes on where it may', async () => {
  const child = await makeEcho();
  const sub = call(child, { input: { text: 'refuse' }, onError: 'continue' });
  const runId = await start([sub, { ...echo, id: 'after', input: { text: 'b' } }], { output: '=[steps.sub, steps.after.echoed]' });
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: [null, 'b'] });
  expect((await runs.steps(runId))[0]).toMatchObject({ status: 'error', error: { key: 'calledRunFailed' } });
});

test('an approval in it is waited for with no worker held, and its own record has the decision', async () => {
  const runId = await start([call(await make([approval], { output: '=steps.ask.approved' }))], { output: '=steps.sub' });
  await callerWaits(runId);
  const [child] = await calledBy(runId);
  await runs.until(child.id, ['waiting']);
  expect((await runs.run(runId)).claimed_by).toBeNull();
  await runs.approve(workspace, child.id);
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: true });
});

test('a caller that is cancelled ends what it called, and that theirs, each with its own event', async () => {
  const inner = await make([approval]);
  const runId = await start([call(await make([call(inner)]))]);
  await callerWaits(runId);
  const [child] = await calledBy(runId);
  await callerWaits(child.id);
  const [grandchild] = await calledBy(child.id);
  await runs.until(grandchild.id, ['waiting']);
  await cancel(runId);
  for (const id of [runId, child.id, grandchild.id]) expect(await ended(id)).toMatchObject({ status: 'cancelled' });
  expect((await events(grandchild.id)).map(({ action }) => action)).toEqual(['run.started', 'run.cancelled']);
});

test('one that a person cancels fails the step', async () => {
  const runId = await start([call(await make([approval]))]);
  await callerWaits(runId);
  const [child] = await calledBy(runId);
  await cancel(child.id);
  expect(await ended(runId)).toMatchObject({ status: 'failed', error: { key: 'calledRunCancelled' } });
});

test('a failure beside it ends the caller, and with it the run that nobody waits for any more', async () => {
  const runId = await start([
    {
      id: 'fork',
      name: 'Fork',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        { label: 'sub', steps: [call(await make([approval]))] },
        {
          label: 'bad',
          steps: [
            { id: 'rest', name: 'Rest', kind: 'wait', seconds: 1 },
            { ...echo, input: { text: 'refuse' }, retries: 0 },
          ],
        },
      ],
    },
  ]);
  expect(await ended(runId)).toMatchObject({ status: 'failed' });
  const [child] = await calledBy(runId);
  expect(await ended(child.id)).toMatchObject({ status: 'cancelled' });
});

test('in a loop each item has a run of its own', async () => {
  const child = await makeEcho();
  const loop = { id: 'each', name: 'Each', kind: 'for_each', items: '=["a", "b", "c"]', atOnce: 2, collect: '=steps.sub' };
  const steps = [call(child, { input: { text: '=item' } })];
  const runId = await start([{ ...loop, branches: [{ label: 'each', steps }] }], { output: '=steps.each.results' });
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: ['a', 'b', 'c'] });
  expect((await calledBy(runId)).map((row) => row.caller_path)).toEqual(['each/0/sub', 'each/1/sub', 'each/2/sub']);
});

test('each counts as an execution of the plan, and none starts beyond it', async () => {
  const small = await runs.makeWorkspace();
  const say = [{ id: 'say', name: 'Say', kind: 'transform', expression: '1' }];
  const child = await runs.makeWorkflow(small, { steps: say });
  const first = await runs.start(small, await runs.makeWorkflow(small, { steps: say }));
  await ended(first);
  // The month's other executions: 998 of 1,000, with the first and the caller all of them.
  await database.arrange(small.id, async (client) => {
    await client.query(`update quorate.workspaces set plan = 'starter', trial_ends_at = null where id = $1`, [small.id]);
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status, finished_at)
       select gen_random_uuid(), workspace_id, artifact_id, version_id, mode, initiator_id, 'completed', now()
       from quorate.runs, generate_series(1, 998) where id = $1`,
      [first],
    );
  });
  const runId = await runs.start(small, await runs.makeWorkflow(small, { steps: [call(child)] }));
  expect(await ended(runId)).toMatchObject({ status: 'failed', error: { key: 'calledRunQuota', values: { limit: 1000 } } });
  expect(await calledBy(runId)).toEqual([]);
});

test('no member can say that a run was called by another', async () => {
  const runId = await start([{ id: 'say', name: 'Say', kind: 'transform', expression: '1' }]);
  await ended(runId);
  const principal = { userId: workspace.builder.id, sessionId: workspace.builder.sessionId, workspaceId: workspace.id };
  const row = await runs.run(runId);
  const values = {
    id: newId(),
    workspace_id: workspace.id,
    artifact_id: row.artifact_id,
    version_id: row.version_id,
    mode: 'live' as const,
  };
  const claim = { ...values, initiator_id: workspace.builder.id, input: '{}', caller_run_id: runId, caller_path: 'say' };
  await expect(database.database.asMember(principal, (db) => db.insertInto('quorate.runs').values(claim).execute())).rejects.toThrow();
});
