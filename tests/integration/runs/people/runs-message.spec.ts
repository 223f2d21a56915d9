/** Steps that notify people. That a kill repeats nothing is the interpreter's property, and here the database's `once`. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRunStore } from '#app/engine/runs/run-store.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

const message = (more: object = {}) => ({ id: 'tell', name: 'Order shipped', kind: 'message', text: '="Order " & input.n', ...more });
const INPUT = [{ name: 'n', title: 'N', type: 'text', required: true }];
async function run(steps: object[], input = { n: '7' }) {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps, input: INPUT }), input);
  return runs.until(runId, ['completed', 'failed']);
}
async function notified(runId: string) {
  const { rows } = await database.owner.query(
    `select user_id, kind, subject from quorate.notifications where subject #>> '{about,id}' = $1 and kind = 'message' order by user_id`,
    [runId],
  );
  return rows;
}

test('who started the run is notified by the name of the step, and the text is the step’s output alone', async () => {
  const { id, status } = await run([message()]);
  expect(status).toBe('completed');
  const told = await notified(id);
  expect(told).toMatchObject([{ user_id: workspace.builder.id, kind: 'message' }]);
  expect(told[0].subject).toMatchObject({
    key: 'notifyMessage',
    values: { title: 'Order shipped', workflow: 'Test workflow' },
    about: { kind: 'run' },
  });
  // The link is all that leaves: what the run knows stands where only who may see the run reads it.
  expect(JSON.stringify(told)).not.toContain('Order 7');
  const [step] = await runs.steps(id);
  expect(step).toMatchObject({ status: 'success', output: { text: 'Order 7', recipients: 1 }, reason: { key: 'messageSent' } });
});

test('a person with two of the roles is notified once, nobody of another workspace at all', async () => {
  const other = await runs.makeWorkspace();
  const { id } = await run([message({ to: ['starter', 'builder', 'approver', 'admin'] })]);
  const people = [workspace.builder, workspace.approver, workspace.admin].map((member: TestMember) => member.id).sort();
  expect((await notified(id)).map((row) => row.user_id)).toEqual(people);
  const { rows } = await database.owner.query('select 1 from quorate.notifications where workspace_id = $1', [other.id]);
  expect(rows).toEqual([]);
});

test('members are found by their addresses, written or made by an expression; one that is not a member refuses the whole message', async () => {
  const emailOf = async (member: TestMember) =>
    String((await database.owner.query('select email from quorate.members where user_id = $1 limit 1', [member.id])).rows[0].email);
  const [approver, admin] = [await emailOf(workspace.approver), await emailOf(workspace.admin)];
  const written = await run([message({ to: [], members: `${approver.toUpperCase()},\n${approver}` })]);
  expect((await notified(written.id)).map((row) => row.user_id)).toEqual([workspace.approver.id]);
  const made = await run([message({ to: ['starter'], members: `=["${approver}", "${admin}"]`, mail: false })]);
  const told = await notified(made.id);
  expect(told).toHaveLength(3);
  expect(told.map(({ subject }) => subject.mail)).toEqual([false, false, false]);
  const [stranger] = (await database.makeWorkspace({ members: [{ roles: ['builder'] }] })).members;
  if (stranger === undefined) throw new Error('no member');
  for (const [members, key, named] of [
    [`=["${approver}", "${await emailOf(stranger)}"]`, 'messageNotMembers', await emailOf(stranger)],
    ['=["nobody"]', 'messageNoAddresses', undefined],
    ['=[1..101].("a" & $string($) & "@example.org")', 'messageManyMembers', undefined],
  ] as const) {
    const { id, status, error } = await run([message({ members })]);
    expect([status, error.key, error.values?.addresses]).toEqual(['failed', key, named?.toLowerCase()]);
    expect(await notified(id)).toEqual([]);
  }
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.members (workspace_id, user_id, roles, name, email) select $1, user_id, '{user}', name, email
       from quorate.members where user_id = $2 limit 1`,
      [workspace.id, stranger.id],
    );
  });
  // Their link would lead to a run that they may not see.
  const unseen = await run([message({ members: await emailOf(stranger) })]);
  expect(unseen).toMatchObject({ status: 'failed', error: { key: 'messageCannotSee' } });
  expect(await notified(unseen.id)).toEqual([]);
});

test('each item of a loop has a message of its own', async () => {
  const loop = { id: 'each', name: 'Each', kind: 'for_each', items: '=[1, 2, 3]' };
  const { id, status } = await run([{ ...loop, branches: [{ label: 'each', steps: [message({ text: '=$string(item)' })] }] }]);
  expect(status).toBe('completed');
  expect(await notified(id)).toHaveLength(3);
});

test('without a text, with one too long, or with nobody to get it, the step fails and says why', async () => {
  for (const [more, key] of [
    [{ text: '=null' }, 'messageNoText'],
    [{ text: '=7' }, 'messageNoText'],
    [{ text: '=$join([1..1001].("word"))' }, 'messageTooLong'],
    [{ to: ['auditor'] }, 'messageNobody'],
  ] as const) {
    const { id, status, error } = await run([message(more)]);
    expect([status, error.key]).toEqual(['failed', key]);
    expect(await notified(id)).toEqual([]);
  }
});

test('sent again after its worker was lost, it notifies nobody a second time; a worker without the fence sends nothing', async () => {
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ id: 'rest', name: 'Rest', kind: 'wait', seconds: 3_600 }] }),
  );
  await runs.until(runId, ['waiting']);
  const { attempt } = await runs.run(runId);
  // As a worker holds it.
  await database.owner.query(`update quorate.runs set status = 'processing', claimed_by = gen_random_uuid() where id = $1`, [runId]);
  const store = createRunStore({
    statement: (query) => database.database.workerPool.query(query),
    log: quietLog,
    signal: new AbortController().signal,
  });
  const ref = { runId, workspaceId: workspace.id };
  const send = (fence: number) => store.sendMessage(ref, fence, 'tell', { title: 'Tell', to: ['starter'], members: [], mail: true }, []);
  expect(await send(attempt)).toEqual({ state: 'sent', recipients: 1 });
  expect(await send(attempt)).toEqual({ state: 'sent', recipients: 1 });
  expect(await send(attempt - 1)).toEqual({ state: 'fenced' });
  expect(await notified(runId)).toHaveLength(1);
});
