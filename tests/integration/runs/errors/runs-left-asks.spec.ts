/** Questions that steps have asked when the run moves past them: nobody can use an answer any longer, so they are closed. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
const refuse: CallPeer = async () => {
  throw new PeerError({ key: 'peerInputRefused', values: { capability: 'x', message: 'no' }, retryable: false });
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker(refuse);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

const APPROVAL = { id: 'ask', name: 'Ask', kind: 'approval', question: 'May it?' };
const FORM = {
  id: 'form',
  name: 'Form',
  kind: 'human_task',
  question: 'How much?',
  to: 'approver',
  fields: [{ name: 'n', title: 'N', type: 'number' }],
};
/** Ends the other branch once its siblings wait. */
const FAIL = () => [
  { id: 'later', name: 'Later', kind: 'wait', mode: 'for', seconds: 1 },
  { id: 'fail', name: 'Fail', kind: 'tool', connection: slug, capability: 'echo', input: {}, retries: 0 },
];
const sideBySide = (...asks: object[]) => ({
  id: 'both',
  name: 'Both',
  kind: 'branch',
  mode: 'parallel',
  branches: [{ label: 'fails', steps: FAIL() }, ...asks.map((ask, index) => ({ label: `asks_${index}`, steps: [ask] }))],
});
const attempt = (tried: object[], onError: object[]) => ({
  id: 'attempt',
  name: 'Attempt',
  kind: 'try',
  branches: [
    { label: 'steps', steps: tried },
    { label: 'on_error', steps: onError },
  ],
});
const stays = { ...FORM, id: 'stays', name: 'Stays' };
const start = async (...steps: object[]) => runs.start(workspace, await runs.makeWorkflow(workspace, { steps }));
const rows = async (text: string, values: unknown[]) => (await database.owner.query(text, values)).rows;
const approvals = (runId: string) => rows('select id, step_path, status from quorate.approvals where run_id = $1', [runId]);
const forms = (runId: string) =>
  rows('select id, step_path, status from quorate.human_tasks where run_id = $1 order by step_path', [runId]);
const unread = async (...ids: string[]) =>
  rows(`select once from quorate.notifications where read_at is null and subject #>> '{about,id}' = any ($1)`, [ids]);
const asked = (runId: string) =>
  expect.poll(async () => [(await approvals(runId)).length, (await forms(runId)).length], { timeout: 20_000 }).toEqual([1, 1]);
const withdrawals = (runId: string) =>
  rows(`select payload from quorate.audit_events where resource_id = $1 and action = 'run.asksWithdrawn'`, [runId]);

test('those beside a failed step in an error way are withdrawn before the steps for errors wait themselves', async () => {
  const runId = await start(attempt([sideBySide(APPROVAL, FORM)], [stays]));
  await asked(runId);
  const [approval] = await approvals(runId);
  const [form] = await forms(runId);
  expect((await unread(approval.id, form.id)).length).toBeGreaterThan(1);

  await expect.poll(async () => (await forms(runId)).map(({ status }) => status), { timeout: 20_000 }).toEqual(['pending', 'withdrawn']);
  expect(await approvals(runId)).toMatchObject([{ id: approval.id, status: 'withdrawn' }]);
  expect(await unread(approval.id, form.id)).toEqual([]);
  expect(await withdrawals(runId)).toEqual([{ payload: { step: 'attempt/steps', approvals: [approval.id], forms: [form.id], runs: [] } }]);
  expect((await runs.steps(runId)).filter(({ path }) => /asks_\d/.test(path)).map(({ status, error }) => [status, error?.key])).toEqual([
    ['error', 'stepLeft'],
    ['error', 'stepLeft'],
  ]);
  await runs.until(runId, ['waiting']);
});

test('so are those of one item of a loop that goes on', async () => {
  const loop = {
    id: 'lines',
    name: 'Lines',
    kind: 'for_each',
    items: '=[1]',
    onItemError: 'continue',
    branches: [{ label: 'each', steps: [sideBySide(APPROVAL, FORM)] }],
  };
  const runId = await start(loop, stays);
  await asked(runId);
  const [approval] = await approvals(runId);
  const [form] = await forms(runId);
  await expect.poll(async () => (await forms(runId)).map(({ status }) => status), { timeout: 20_000 }).toEqual(['withdrawn', 'pending']);
  expect(await approvals(runId)).toMatchObject([{ id: approval.id, status: 'withdrawn' }]);
  expect(await unread(approval.id, form.id)).toEqual([]);
  expect(await withdrawals(runId)).toMatchObject([{ payload: { step: 'lines/0', approvals: [approval.id], forms: [form.id] } }]);
});

test('a run that such a step has called is cancelled, and what it asks is closed with it', async () => {
  const called = await runs.makeWorkflow(workspace, { steps: [APPROVAL] });
  const sub = { id: 'sub', name: 'Sub', kind: 'sub_workflow', workflow: called.artifactId };
  const runId = await start(attempt([sideBySide(sub)], [stays]));
  const [child] = await expect
    .poll(() => rows('select id from quorate.runs where caller_run_id = $1', [runId]), { timeout: 20_000 })
    .toHaveLength(1)
    .then(() => rows('select id from quorate.runs where caller_run_id = $1', [runId]));
  await runs.until(child.id, ['cancelled'], 20_000);
  expect(await approvals(child.id)).toMatchObject([{ status: 'withdrawn' }]);
  await runs.until(runId, ['waiting']);
  expect(await withdrawals(runId)).toMatchObject([{ payload: { approvals: [], forms: [], runs: [child.id] } }]);
});

test('a run that ends withdraws its forms as it does its approvals, also beside a failed step for errors, records it, and reminds nobody', async () => {
  const fail = { id: 'first', name: 'First', kind: 'tool', connection: slug, capability: 'echo', input: {}, retries: 0 };
  for (const steps of [[sideBySide(APPROVAL, FORM)], [attempt([fail], [sideBySide(APPROVAL, FORM)])]]) {
    const runId = await start(...steps);
    await asked(runId);
    const [approval] = await approvals(runId);
    const [form] = await forms(runId);
    await runs.until(runId, ['failed'], 20_000);
    expect(await approvals(runId)).toMatchObject([{ status: 'withdrawn' }]);
    expect(await forms(runId)).toMatchObject([{ status: 'withdrawn' }]);
    expect(await unread(approval.id, form.id)).toEqual([]);
    expect(
      await rows(`select payload -> 'withdrawn' as withdrawn from quorate.audit_events where resource_id = $1 and action = 'run.failed'`, [
        runId,
      ]),
    ).toEqual([{ withdrawn: { approvals: [approval.id], forms: [form.id] } }]);
  }
});

test('so does one with steps for its end, as these begin, and one that asks nobody records nothing', async () => {
  const end = {
    id: 'end',
    name: 'End',
    kind: 'cleanup',
    branches: [
      { label: 'on_failure', steps: [stays] },
      { label: 'on_cancel', steps: [] },
    ],
  };
  const runId = await start(sideBySide(APPROVAL, FORM), end);
  await asked(runId);
  const [approval] = await approvals(runId);
  const begun = () =>
    rows(`select payload -> 'withdrawn' as withdrawn from quorate.audit_events where resource_id = $1 and action = 'run.cleanupStarted'`, [
      runId,
    ]);
  await expect.poll(begun, { timeout: 20_000 }).toMatchObject([{ withdrawn: { approvals: [approval.id], runs: [] } }]);
  const plain = await start({ id: 'say', name: 'Say', kind: 'transform', expression: '1' });
  await runs.until(plain, ['completed']);
  expect(await rows(`select from quorate.audit_events where resource_id = $1 and payload ? 'withdrawn'`, [plain])).toEqual([]);
});
