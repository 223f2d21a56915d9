/** Steps that ask a person to fill in a form. That any kill leads to the same end is told by the property of the interpreter. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerHumanTask } from '#app/engine/commands/runs/answer-human-task.ts';
import { passHumanTask } from '#app/engine/commands/runs/pass-human-task.ts';
import { queueNotifications } from '#app/engine/notifications/queue-notifications.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { readWaitingTasks } from '#app/engine/runs/waiting-tasks.ts';
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

const AMOUNT = { name: 'amount', title: 'Amount', type: 'number' };
const NOTE = { name: 'note', title: 'Note', type: 'text', required: false };
const ask = (more: object = {}) => ({
  id: 'ask',
  name: 'Ask for the amount',
  kind: 'human_task',
  question: 'How much is it?',
  fields: [AMOUNT, NOTE],
  ...more,
});
const start = async (steps: object[], more: object = {}) => runs.start(workspace, await runs.makeWorkflow(workspace, { steps, ...more }));
const ended = (runId: string) => runs.until(runId, ['completed', 'failed', 'cancelled']);
const asks = async (runId: string, count = 1) => {
  const read = async () =>
    (await database.owner.query('select * from quorate.human_tasks where run_id = $1 order by step_path', [runId])).rows;
  await expect.poll(async () => (await read()).filter(({ status }) => status === 'pending').length).toBe(count);
  return read();
};
const answer = (member: TestMember, task: string, given: { [name: string]: string | number | boolean }, where = workspace) =>
  runs.asMember(where, member, (db) => {
    const call = { db, engine: { enqueueRun: runs.enqueueRun }, principal: { workspace: { id: where.id } } };
    return answerHumanTask.change(call as unknown as Parameters<typeof answerHumanTask.change>[0], { task, answer: given });
  });
const waiting = (member: TestMember) =>
  database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, (db) =>
    readWaitingTasks(db, 50),
  );
const visible = (member: TestMember, task: string) =>
  database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, (db) =>
    db.selectFrom('quorate.human_tasks').where('id', '=', task).select('id').execute(),
  );

test('the run waits for who started it, and goes on with the answer, which the log has by its digest', async () => {
  const runId = await start([ask({ show: { Payee: '="Jon"' } })], { output: '=[steps.ask.answer.amount, steps.ask.by]' });
  const [task] = await asks(runId);
  expect(task).toMatchObject({
    workflow: 'Test workflow',
    question: 'How much is it?',
    shown: { Payee: 'Jon' },
    user_id: workspace.builder.id,
  });
  await runs.until(runId, ['waiting']);
  expect(await waiting(workspace.builder)).toMatchObject([{ id: task.id, title: 'Ask for the amount' }]);
  await answer(workspace.builder, task.id, { amount: 7 });
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: [7, workspace.builder.name] });
  expect(await runs.steps(runId)).toMatchObject([{ path: 'ask', status: 'success', output: { answer: { amount: 7 } } }]);
  expect(await waiting(workspace.builder)).toEqual([]);
  const { rows } = await database.owner.query('select action, payload from quorate.audit_events where resource_id = $1 order by at, id', [
    runId,
  ]);
  expect(rows.map(({ action }) => action)).toEqual(['run.started', 'humanTask.asked', 'humanTask.answered', 'run.completed']);
  expect(JSON.stringify(rows[2].payload)).not.toContain('"amount"');
  expect(rows[2].payload).toMatchObject({ step: 'ask', task: task.id });
});

test('nobody else answers, none answers twice, and an answer that does not fit is refused', async () => {
  const runId = await start([ask({ to: 'approver' })]);
  const [task] = await asks(runId);
  const { builder, approver, admin } = workspace;
  await expect(answer(builder, task.id, { amount: 1 })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(answer(admin, task.id, { amount: 1 })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(answer(approver, task.id, { amount: 'much' })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(answer(approver, task.id, { amount: 1, other: 2 })).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(answer(approver, task.id, {})).rejects.toMatchObject({ code: 'invalid_input' });
  const other = await runs.makeWorkspace();
  await expect(answer(other.approver, task.id, { amount: 1 }, other)).rejects.toMatchObject({ code: 'not_found' });
  const both = await Promise.allSettled([answer(approver, task.id, { amount: 1 }), answer(approver, task.id, { amount: 2 })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await ended(runId)).toMatchObject({ status: 'completed' });
  await expect(answer(approver, task.id, { amount: 3 })).rejects.toMatchObject({ code: 'conflict' });
});

test('one person is found by address, sees the form without the run, and one who is no member is named at the step', async () => {
  const [plain] = (await database.makeWorkspace({ members: [{ roles: ['user'] }] })).members;
  if (plain === undefined) throw new Error('no member');
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.members (workspace_id, user_id, roles, name, email) select $1, user_id, roles, name, email
       from quorate.members where user_id = $2 limit 1`,
      [workspace.id, plain.id],
    );
  });
  const { rows } = await database.owner.query('select email from quorate.members where user_id = $1 limit 1', [plain.id]);
  const runId = await start([ask({ to: 'member', member: `="${String(rows[0].email).toUpperCase()}"` })]);
  const [task] = await asks(runId);
  expect(await visible(plain, task.id)).toHaveLength(1);
  const seesRun = await database.database.asMember({ userId: plain.id, sessionId: plain.sessionId, workspaceId: workspace.id }, (db) =>
    db.selectFrom('quorate.runs').where('id', '=', runId).select('id').execute(),
  );
  expect(seesRun).toEqual([]);
  expect(await waiting(plain)).toMatchObject([{ id: task.id, run: null }]);
  await answer(plain, task.id, { amount: 2 });
  expect(await ended(runId)).toMatchObject({ status: 'completed' });
  const lost = await start([ask({ to: 'member', member: 'nobody@example.org' })]);
  expect(await ended(lost)).toMatchObject({ status: 'failed', error: { key: 'taskNobody', step: 'ask' } });
});

test('a form nobody fills in by its time fails its step; one of a run that has ended is closed', async () => {
  const runId = await start([ask()]);
  const [task] = await asks(runId);
  await database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.human_tasks set due_at = now() - interval '1 minute' where id = $1`, [task.id]);
  });
  await expect(answer(workspace.builder, task.id, { amount: 1 })).rejects.toMatchObject({ code: 'conflict' });
  await runs.asMember(workspace, workspace.builder, async (db) => {
    await runs.enqueueRun(db, { id: runId, workspaceId: workspace.id });
    return { result: null, event: { action: 'run.cancelRequested', resource: { kind: 'run', id: 'other' } } };
  });
  expect(await ended(runId)).toMatchObject({ status: 'failed', error: { key: 'taskExpired' } });
  const second = await start([ask()]);
  const [open] = await asks(second);
  await runs.asMember(workspace, workspace.builder, async (db) => {
    const which = { workspaceId: workspace.id, runId: second, memberId: workspace.builder.id };
    return { result: null, event: await cancelRun(db, { enqueueRun: runs.enqueueRun }, which) };
  });
  expect(await ended(second)).toMatchObject({ status: 'cancelled' });
  expect((await waiting(workspace.builder)).map(({ id }) => id)).not.toContain(open.id);
  await expect(answer(workspace.builder, open.id, { amount: 1 })).rejects.toMatchObject({ code: 'conflict' });
});

const moveDue = (task: string, what: string, by: string) =>
  database.arrange(workspace.id, async (client) => {
    await client.query(`update quorate.human_tasks set ${what} = now() ${by} where id = $1`, [task]);
  });
const notices = async (member: TestMember, task: string) => {
  const { rows } = await database.owner.query(
    `select subject ->> 'key' as key, read_at is null as open from quorate.notifications
     where user_id = $1 and subject #>> '{about,id}' = $2 order by created_at, id`,
    [member.id, task],
  );
  return rows.map(({ key, open }) => `${key}${open ? '' : ' read'}`);
};
const remind = () => database.database.app((db) => sql`select quorate.remind_human_tasks()`.execute(db));
const pass = (member: TestMember, task: string, to: TestMember, reason = 'On holiday', where = workspace) =>
  runs.asMember(where, member, (db) => {
    const call = { db, principal: { workspace: { id: where.id } } };
    return passHumanTask.change(call as unknown as Parameters<typeof passHumanTask.change>[0], { task, to: to.id, reason });
  });

test('a form may let the run continue when its time is over, or stay open: reminded of once before and once after', async () => {
  const { approver } = workspace;
  const runId = await start([ask({ late: 'continue' })], { output: '=[$exists(steps.ask.answer.amount), steps.ask.by]' });
  const [task] = await asks(runId);
  await moveDue(task.id, 'due_at', `- interval '1 minute'`);
  await runs.asMember(workspace, workspace.builder, async (db) => {
    await runs.enqueueRun(db, { id: runId, workspaceId: workspace.id });
    return { result: null, event: { action: 'run.cancelRequested', resource: { kind: 'run', id: 'other' } } };
  });
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: [false, ''] });
  const kept = await start([ask({ to: 'approver', late: 'keep', dueHours: 10, remindHours: 2 })]);
  const [open] = await asks(kept);
  expect(Math.round((open.due_at - open.remind_at) / 3_600_000)).toBe(2);
  await remind();
  expect(await notices(approver, open.id)).toEqual(['notifyTask']);
  await moveDue(open.id, 'remind_at', `- interval '1 second'`);
  await remind();
  await remind();
  expect(await notices(approver, open.id)).toEqual(['notifyTask', 'notifyTaskDue']);
  const mailed: string[] = [];
  await queueNotifications({
    asApp: database.database.app,
    newId,
    origin: 'https://quorate.example',
    notificationMail: ({ messages }) => {
      mailed.push(...messages.map(({ subject, link }) => `${subject.key} ${link}`));
      return { subject: '', text: '' };
    },
  });
  expect(mailed).toContain(`notifyTaskDue https://quorate.example/dashboard/tasks/${open.id}`);
  await moveDue(open.id, 'due_at', `- interval '1 minute'`);
  await moveDue(open.id, 'remind_at', `- interval '1 minute'`);
  await Promise.all([remind(), remind()]);
  expect(await notices(approver, open.id)).toEqual(['notifyTask', 'notifyTaskDue', 'notifyTaskOverdue']);
  expect((await waiting(approver)).find(({ id }) => id === open.id)).toMatchObject({
    overdue: true,
    run: { number: expect.any(Number), subject: null },
  });
  await answer(approver, open.id, { amount: 1 });
  expect(await ended(kept)).toMatchObject({ status: 'completed' });
  expect(await notices(approver, open.id)).toEqual(['notifyTask read', 'notifyTaskDue read', 'notifyTaskOverdue read']);
});

test('who is asked, or an admin, passes a form on with a reason; a role stays with those who have it', async () => {
  const { builder, approver, admin } = workspace;
  const runId = await start([ask()]);
  const [task] = await asks(runId);
  await expect(pass(approver, task.id, approver)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(pass(builder, task.id, builder)).rejects.toMatchObject({ code: 'invalid_input' });
  const other = await runs.makeWorkspace();
  await expect(pass(builder, task.id, other.builder)).rejects.toMatchObject({ code: 'invalid_input' });
  await pass(builder, task.id, approver);
  expect(await notices(builder, task.id)).toEqual(['notifyTask read']);
  expect(await notices(approver, task.id)).toEqual(['notifyTaskPassed']);
  expect((await waiting(builder)).map(({ id }) => id)).not.toContain(task.id);
  await expect(answer(builder, task.id, { amount: 1 })).rejects.toMatchObject({ code: 'forbidden' });
  await pass(admin, task.id, admin, 'The approver is away');
  expect(await notices(approver, task.id)).toEqual(['notifyTaskPassed read']);
  await answer(admin, task.id, { amount: 1 });
  expect(await ended(runId)).toMatchObject({ status: 'completed' });
  await expect(pass(admin, task.id, builder)).rejects.toMatchObject({ code: 'conflict' });
  const { rows } = await database.owner.query(
    `select t.passes, (select array_agg(e.payload ->> 'to' order by e.at, e.id) from quorate.audit_events e
       where e.resource_id = t.run_id::text and e.action = 'humanTask.passed') as logged from quorate.human_tasks t where t.run_id = $1`,
    [runId],
  );
  expect(rows[0].passes).toMatchObject([
    { by: builder.id, to: approver.id, reason: 'On holiday' },
    { by: admin.id, to: admin.id, reason: 'The approver is away' },
  ]);
  expect(rows[0].logged).toEqual([approver.id, admin.id]);
  const asked = await start([ask({ to: 'approver' })]);
  const [open] = await asks(asked);
  await expect(pass(approver, open.id, builder)).rejects.toMatchObject({ code: 'invalid_input' });
  await answer(approver, open.id, { amount: 1 });
});

test('each item of a loop asks for itself, and what is too large to be shown is refused at the step', async () => {
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: '=[1, 2]', atOnce: 2, branches: [{ label: 'each', steps: [ask()] }] };
  const runId = await start([loop]);
  const tasks = await asks(runId, 2);
  for (const [index, task] of tasks.entries()) await answer(workspace.builder, task.id, { amount: index });
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: { ok: 2 } });
  const large = await start([ask({ show: { All: '=$join([1..20000].$string())' } })]);
  expect(await ended(large)).toMatchObject({ status: 'failed', error: { key: 'taskTooLarge' } });
});
