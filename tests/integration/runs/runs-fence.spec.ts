import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { haltWorkspace } from '#app/engine/runs/halt-workspace.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

async function ask(text: string, values: unknown[]) {
  const { rows } = await database.database.workerPool.query(text, values);
  return rows[0]?.a;
}
const claim = (runId: string, worker: string, inWorkspace = workspace.id) =>
  ask('select quorate.claim_run($1, $2, $3) as a', [inWorkspace, runId, worker]);
const finish = (runId: string, attempt: number) =>
  ask('select quorate.finish_step($1, $2, $3, $4, $5, null) as a', [
    workspace.id,
    runId,
    attempt,
    'a',
    JSON.stringify({ status: 'success', output: { done: attempt } }),
  ]);
function start(
  runId: string,
  attempt: number,
  revision: number,
  more: { verdict?: string; approval?: object; digest?: string; path?: string } = {},
) {
  const path = more.path ?? 'a';
  const step = {
    path,
    stepId: path,
    kind: 'tool',
    name: 'A',
    attempt: 1,
    key: `${runId}/${path}`,
    input: {},
    reason: { key: 'routePinned', values: {} },
    decision: {
      id: newId(),
      action: 'call_tool',
      verdict: more.verdict ?? 'allow',
      rules: [],
      reason: { key: 'policyAllowed', values: {} },
      context: {},
      actionDigest: more.digest ?? 'd1',
      policyVersion: 'p',
    },
    ...(more.approval === undefined ? {} : { approval: more.approval }),
    refusal: { key: 'policyDenied', values: {} },
  };
  return ask('select quorate.start_step($1, $2, $3, $4, $5, null) as a', [workspace.id, runId, attempt, revision, JSON.stringify(step)]);
}
const newRun = async () =>
  runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] }));

test('a worker that was taken over can neither start nor finish a step', async () => {
  const runId = await newRun();
  const [old, other] = [newId(), newId()];
  const first = await claim(runId, old);
  expect((await start(runId, first.attempt, first.revision)).state).toBe('started');
  expect((await claim(runId, other)).state).toBe('busy');
  await database.owner.query('update quorate.runs set claimed_by = null where id = $1', [runId]);
  const second = await claim(runId, other);
  expect(second.attempt).toBe(first.attempt + 1);
  expect((await start(runId, first.attempt, first.revision, { path: 'b' })).state).toBe('fenced');
  expect((await finish(runId, first.attempt)).state).toBe('fenced');
  expect((await start(runId, second.attempt, second.revision)).state).toBe('started');
  expect((await finish(runId, second.attempt)).state).toBe('ok');
  expect((await start(runId, second.attempt, second.revision)).state).toBe('done');
  const { rows } = await database.owner.query('select status, output from quorate.steps where run_id = $1', [runId]);
  expect(rows).toEqual([{ status: 'success', output: { done: second.attempt } }]);
});

test('saying the same twice is the same as once', async () => {
  const runId = await newRun();
  const mine = await claim(runId, newId());
  await start(runId, mine.attempt, mine.revision);
  expect((await finish(runId, mine.attempt)).state).toBe('ok');
  expect((await finish(runId, mine.attempt)).state).toBe('ok');
});

test('no worker reaches a run through another workspace', async () => {
  const other = await runs.makeWorkspace();
  const runId = await newRun();
  expect((await claim(runId, newId(), other.id)).state).toBe('done');
  const mine = await claim(runId, newId());
  expect(mine.state).toBe('claimed');
  expect(await ask('select quorate.park_run($1, $2, $3, null) as a', [other.id, runId, mine.attempt])).toEqual({ state: 'fenced' });
  await expect(ask('select quorate.settle_run($1, $2, $3, null) as a', [other.id, runId, mine.attempt])).rejects.toMatchObject({
    code: 'QR003',
  });
});

test('the worker’s role changes nothing but through these functions', async () => {
  const runId = await newRun();
  for (const statement of [
    `update quorate.runs set status = 'completed' where id = '${runId}'`,
    `insert into quorate.decisions (id, workspace_id, run_id, step_path, attempt, action, verdict, reason, action_digest, policy_version) values ('${newId()}', '${workspace.id}', '${runId}', 'a', 1, 'x', 'allow', '{}', 'd', 'p')`,
    `update quorate.approvals set status = 'approved'`,
    `update quorate.steps set status = 'success'`,
    `select quorate.take_approval(null, 'a', 'k', 'd', null, null)`,
    `select quorate.write_step(null, null, null, null, null, null)`,
    `select quorate.append_worker_event('${workspace.id}', '${newId()}', 'x', 'x', 'x', 'x', '{}')`,
  ])
    await expect(database.database.workerPool.query(statement)).rejects.toMatchObject({ code: '42501' });
});

test('a step needs its decision, and what the decision forbids does not start', async () => {
  const runId = await newRun();
  const mine = await claim(runId, newId());
  expect((await start(runId, mine.attempt, mine.revision, { verdict: 'deny' })).state).toBe('refused');
  const { rows } = await database.owner.query(
    'select s.status, d.verdict from quorate.steps s join quorate.decisions d on d.id = s.decision_id where s.run_id = $1',
    [runId],
  );
  expect(rows).toEqual([{ status: 'error', verdict: 'deny' }]);
  const step = { path: 'b', stepId: 'b', kind: 'tool', name: 'B', attempt: 1, key: 'k', input: {} };
  await expect(
    ask('select quorate.start_step($1, $2, $3, $4, $5, null) as a', [
      workspace.id,
      runId,
      mine.attempt,
      mine.revision,
      JSON.stringify(step),
    ]),
  ).rejects.toMatchObject({ code: 'QR001' });
});

test('a start on an old configuration is sent back', async () => {
  const runId = await newRun();
  const mine = await claim(runId, newId());
  await runs.makeCapability(workspace, { name: 'another' });
  expect(await start(runId, mine.attempt, mine.revision)).toMatchObject({ state: 'stale' });
});

test('an approval releases one step of one run for one digest, once, and not late', async () => {
  const request = (hours = 1) => ({
    id: newId(),
    eventId: newId(),
    title: 'A',
    subject: {},
    reason: { key: 'policyNeedsApproval', values: {} },
    risk: 'high',
    quorum: 1,
    dueHours: hours,
  });
  const approve = (runId: string) =>
    database.arrange(
      workspace.id,
      async (client) =>
        void (await client.query(
          `update quorate.approvals set status = 'approved', decided_at = now() where run_id = $1 and status = 'pending'`,
          [runId],
        )),
    );
  const runId = await newRun();
  let mine = await claim(runId, newId());
  const wanted = { verdict: 'require_approval', digest: 'exact' };
  expect(await start(runId, mine.attempt, mine.revision, { ...wanted, approval: request() })).toMatchObject({ state: 'waiting' });
  expect(await start(runId, mine.attempt, mine.revision, { ...wanted, approval: request() })).toMatchObject({ state: 'waiting' });
  await approve(runId);
  // another digest of the same step finds nothing that releases it
  expect(await start(runId, mine.attempt, mine.revision, { ...wanted, digest: 'other', approval: request() })).toMatchObject({
    state: 'waiting',
  });
  // nor does the same digest for another step
  expect(await start(runId, mine.attempt, mine.revision, { ...wanted, path: 'b', approval: request() })).toMatchObject({
    state: 'waiting',
  });
  expect(await start(runId, mine.attempt, mine.revision, { ...wanted, approval: request() })).toMatchObject({ state: 'started' });
  const consumed = async () =>
    (
      await database.owner.query(`select consumed_key, consumed_at from quorate.approvals where run_id = $1 and status = 'consumed'`, [
        runId,
      ])
    ).rows;
  expect(await consumed()).toMatchObject([{ consumed_key: `${runId}/a` }]);
  // the worker is killed between consumption and call: the next attempt of the same step belongs to the same release
  await database.owner.query('update quorate.runs set claimed_by = null where id = $1', [runId]);
  mine = await claim(runId, newId());
  const before = await consumed();
  expect(await start(runId, mine.attempt, mine.revision, { ...wanted, approval: request() })).toMatchObject({ state: 'started' });
  expect(await consumed()).toEqual(before);

  const late = await newRun();
  const other = await claim(late, newId());
  await start(late, other.attempt, other.revision, { ...wanted, approval: request() });
  await approve(late);
  await database.owner.query(`update quorate.approvals set due_at = clock_timestamp() - interval '1 second' where run_id = $1`, [late]);
  expect(await start(late, other.attempt, other.revision, { ...wanted, approval: request() })).toMatchObject({ state: 'expired' });
});

test('no step starts after the halt has committed, and a release wakes what waited', async () => {
  const halted = await runs.makeWorkspace();
  const { slug } = await runs.makeCapability(halted, { name: 'echo' });
  const step = (id: string) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text: id } });
  const workflow = await runs.makeWorkflow(halted, { steps: Array.from({ length: 30 }, (_, n) => step(`s${n}`)) });
  await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
  const ids = await Promise.all(Array.from({ length: 10 }, () => runs.start(halted, workflow)));
  await expect.poll(async () => (await runs.steps(ids[0] ?? '')).length, { interval: 5, timeout: 60_000 }).toBeGreaterThan(2);
  await runs.asMember(halted, halted.admin, async (db) => ({
    result: null,
    event: await haltWorkspace(db, { workspaceId: halted.id, memberId: halted.admin.id, now: new Date() }),
  }));
  const at = async () =>
    (await database.owner.query('select count(*)::int as n from quorate.decisions where workspace_id = $1', [halted.id])).rows[0].n;
  const started = await at();
  // a run that nobody had claimed yet stays pending: the halt keeps it from being claimed
  for (const runId of ids) await runs.until(runId, ['pending', 'waiting', 'completed']);
  expect(await at()).toBe(started);
  await expect(runs.start(halted, workflow)).rejects.toMatchObject({ code: 'halted' });
  await runs.lift(halted);
  for (const runId of ids) expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
});
