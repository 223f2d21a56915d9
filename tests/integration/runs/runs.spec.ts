import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
const calls: { name: string; key: string; input: unknown }[] = [];
const answer: CallPeer = async ({ input }) => ({ output: { echoed: input.text ?? null }, protocolVersion: '1' });
const callPeer: CallPeer = (call) => {
  calls.push({ name: call.capability.name, key: call.idempotencyKey, input: call.input });
  return answer(call);
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  await runs.startWorker(callPeer);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

test('a run of a transform and a branch comes to its end', async () => {
  const workflow = await runs.makeWorkflow(workspace, {
    input: [{ name: 'amount', title: 'Amount', type: 'number' }],
    steps: [
      { id: 'double', name: 'Double', kind: 'transform', expression: 'input.amount * 2' },
      {
        id: 'size',
        name: 'Size',
        kind: 'branch',
        mode: 'choose',
        branches: [
          { label: 'big', when: '=steps.double > 10', steps: [{ id: 'say', name: 'Say', kind: 'transform', expression: '"big"' }] },
          { label: 'small', when: '', steps: [{ id: 'whisper', name: 'Whisper', kind: 'transform', expression: '"small"' }] },
        ],
      },
    ],
  });
  const runId = await runs.start(workspace, workflow, { amount: 21 });
  const run = await runs.until(runId, ['completed', 'failed']);
  expect(run).toMatchObject({ status: 'completed', output: { branch: 'big', output: 'big' }, attempt: 1 });
  expect((await runs.steps(runId)).map((step) => [step.path, step.status])).toEqual([
    ['double', 'success'],
    ['size', 'success'],
    ['size/small/whisper', 'skipped'],
    ['size/big/say', 'success'],
  ]);
});

test('a tool is called once, after its decision, and its output is kept', async () => {
  const { slug } = await runs.makeCapability(workspace, { name: 'echo' });
  const workflow = await runs.makeWorkflow(workspace, {
    input: [{ name: 'text', title: 'Text', type: 'text' }],
    steps: [{ id: 'say', name: 'Say', kind: 'tool', connection: slug, capability: 'echo', input: { text: '=input.text' } }],
  });
  const runId = await runs.start(workspace, workflow, { text: 'hello' });
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { echoed: 'hello' } });
  expect(calls.filter((call) => call.key.startsWith(runId))).toEqual([{ name: 'echo', key: `${runId}/say`, input: { text: 'hello' } }]);
  const decisions = await database.owner.query('select * from quorate.decisions where run_id = $1', [runId]);
  expect(decisions.rows).toHaveLength(1);
  expect(decisions.rows[0]).toMatchObject({ verdict: 'allow', step_path: 'say', action: 'call_tool' });
  const events = await database.owner.query('select action, payload from quorate.audit_events where resource_id = $1 order by at', [runId]);
  expect(events.rows.map((row) => row.action)).toEqual(['run.started', 'run.completed']);
});

test('over the plan’s live runs of the month only new starts are refused', async () => {
  const full = await runs.makeWorkspace();
  const workflow = await runs.makeWorkflow(full, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  await database.arrange(full.id, async (client) => {
    await client.query(`update quorate.workspaces set plan = 'starter' where id = $1`, [full.id]);
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) select gen_random_uuid(), $1, $2, $3, 'live', $4, 'completed' from generate_series(1, 999)`,
      [full.id, workflow.artifactId, workflow.versionId, full.admin.id],
    );
  });
  const last = await runs.start(full, workflow);
  await expect(runs.start(full, workflow)).rejects.toMatchObject({ code: 'quota_exceeded', values: { limit: 1_000 } });
  expect(await runs.until(last, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
});

test('the plan’s runs are not exceeded by twenty who start at once', async () => {
  const full = await runs.makeWorkspace();
  const workflow = await runs.makeWorkflow(full, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  await database.arrange(full.id, async (client) => {
    await client.query(`update quorate.workspaces set plan = 'starter' where id = $1`, [full.id]);
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) select gen_random_uuid(), $1, $2, $3, 'live', $4, 'completed' from generate_series(1, 993)`,
      [full.id, workflow.artifactId, workflow.versionId, full.admin.id],
    );
  });
  const starts = await Promise.allSettled(Array.from({ length: 20 }, () => runs.start(full, workflow)));
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
});

test('a paused workflow starts no live run, whoever asks and however', async () => {
  const workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  const set = (status: string) =>
    database.arrange(
      workspace.id,
      async (client) => void (await client.query('update quorate.artifacts set status = $2 where id = $1', [workflow.artifactId, status])),
    );
  await set('inactive');
  await expect(runs.start(workspace, workflow)).rejects.toMatchObject({ code: 'conflict', values: { what: 'paused' } });
  await set('active');
  expect(await runs.until(await runs.start(workspace, workflow), ['completed', 'failed'])).toMatchObject({ status: 'completed' });
});

test('input that does not fit the workflow’s fields starts nothing', async () => {
  const workflow = await runs.makeWorkflow(workspace, {
    input: [
      { name: 'amount', title: 'Amount', type: 'number' },
      { name: 'kind', title: 'Kind', type: 'choice', options: ['a', 'b'] },
      { name: 'day', title: 'Day', type: 'date', required: false },
    ],
    steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }],
  });
  const refused: { [name: string]: Json }[] = [
    {},
    { amount: 'many', kind: 'a' },
    { amount: 1, kind: 'c' },
    { amount: 1, kind: 'a', more: 1 },
    { amount: 1, kind: 'a', day: '2026-13-40' },
    { amount: 1, kind: 'a\u0000' },
  ];
  for (const input of refused) await expect(runs.start(workspace, workflow, input)).rejects.toMatchObject({ code: 'invalid_input' });
  expect(
    await runs.until(await runs.start(workspace, workflow, { amount: 1, kind: 'a', day: '2026-12-31' }), ['completed', 'failed']),
  ).toMatchObject({ status: 'completed' });
});
