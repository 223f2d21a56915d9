import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { type DataChange, planFork } from '#app/domain/runs/run-fork.ts';
import { readAsked } from '#app/domain/runs/subject/asked.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls: Parameters<CallPeer>[0][] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker(async (call) => {
    calls.push(call);
    const output: Json = call.capability.name === 'grade' ? { risk: 'high' } : { echoed: call.input.text ?? null };
    return { output, protocolVersion: '1' };
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
});

const ask = { id: 'ask', name: 'Ask', kind: 'approval', question: 'Send it?', show: { Text: '=input.text' }, risk: 'low' };
const say = () => ({
  id: 'say',
  name: 'Say',
  kind: 'tool',
  connection: slug,
  capability: 'echo',
  input: { text: '=steps.ask.approvers[0]' },
});
const input = [{ name: 'text', title: 'Text', type: 'text' }];

async function approvalOf(runId: string) {
  const { rows } = await database.owner.query('select * from quorate.approvals where run_id = $1 order by created_at desc limit 1', [
    runId,
  ]);
  return rows[0];
}
async function vote(runId: string, decision: 'approve' | 'reject', reason = '') {
  const approval = await approvalOf(runId);
  await database.prove(workspace.approver, approval.id);
  await runs.asMember(workspace, workspace.approver, async (db) => {
    await sql`select quorate.vote_approval(${approval.id}, ${decision}, ${reason}, ${approval.action_digest})`.execute(db);
    await runs.enqueueRun(db, { id: runId, workspaceId: workspace.id });
    return {
      result: null,
      event: {
        action: decision === 'approve' ? 'approval.approved' : 'approval.rejected',
        resource: { kind: 'approval', id: approval.id },
      },
    };
  });
}

test('an approval step waits without holding a worker, and continues when someone has decided', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [ask, say()] }), { text: 'hello' });
  expect(await runs.until(runId, ['waiting', 'failed'])).toMatchObject({ status: 'waiting', claimed_by: null });
  expect(await approvalOf(runId)).toMatchObject({
    status: 'pending',
    subject: { question: 'Send it?', show: { Text: 'hello' } },
    requested_by: workspace.builder.id,
    version_author_id: workspace.admin.id,
  });
  await vote(runId, 'approve');
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { echoed: workspace.approver.name },
  });
  expect(await approvalOf(runId)).toMatchObject({ status: 'consumed', consumed_key: `${runId}/ask` });
  // So that evidence of the run from which one of them was taken is no proof.
  const { rows } = await database.owner.query<{ action: string; payload: { events: string[] } }>(
    `select e.action, e.payload from quorate.audit_events e where e.resource_id = $1 and e.action = 'run.completed'`,
    [runId],
  );
  const { rows: named } = await database.owner.query<{ action: string }>(
    'select action from quorate.audit_events where id = any ($1) order by at',
    [rows[0]?.payload.events],
  );
  expect(named.map(({ action }) => action)).toEqual(['run.started', 'approval.approved']);
});

test('a rejection ends the step with the name and the reason', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [ask, say()] }), { text: 'hello' });
  await runs.until(runId, ['waiting']);
  await vote(runId, 'reject', 'not today');
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'failed',
    error: { key: 'approvalRejectedBecause', values: { name: workspace.approver.name, reason: 'not today' } },
  });
  expect(calls).toHaveLength(0);
});

test('a high-risk finding stops the next call until someone else approves exactly it; the approval serves that step alone', async () => {
  await runs.makeCapability(workspace, { name: 'grade', slug: 'grader' });
  const workflow = await runs.makeWorkflow(workspace, {
    input,
    steps: [
      { id: 'grade', name: 'Grade', kind: 'tool', connection: 'grader', capability: 'grade', input: {} },
      { id: 'send', name: 'Send', kind: 'tool', connection: slug, capability: 'echo', input: { text: '=input.text' } },
    ],
  });
  const runId = await runs.start(workspace, workflow, { text: 'to the regulator' });
  await runs.until(runId, ['waiting', 'failed', 'completed']);
  expect(calls.map((call) => call.capability.name)).toEqual(['grade']);
  const approval = await approvalOf(runId);
  expect(approval).toMatchObject({ status: 'pending', risk: 'high', step_path: 'send', subject: { input: { text: 'to the regulator' } } });
  await vote(runId, 'approve');
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  expect(await approvalOf(runId)).toMatchObject({ status: 'consumed', consumed_key: `${runId}/send` });
  const { rows } = await database.owner.query(
    `select verdict from quorate.decisions where run_id = $1 and step_path = 'send' order by decided_at`,
    [runId],
  );
  expect(rows.map((row) => row.verdict)).toEqual(['require_approval', 'allow']);
});

test('an approval that nobody answered in time ends the step, and says so in the log', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [ask] }), { text: 'hello' });
  await runs.until(runId, ['waiting']);
  await database.owner.query(`update quorate.approvals set due_at = clock_timestamp() - interval '1 second' where run_id = $1`, [runId]);
  await runs.queue.send([{ runId, workspaceId: workspace.id }]);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'approvalExpired' } });
  const approval = await approvalOf(runId);
  expect(approval.status).toBe('expired');
  const { rows } = await database.owner.query(`select action from quorate.audit_events where resource_id = $1`, [approval.id]);
  expect(rows.map((row) => row.action)).toContain('approval.expired');
});

test('a vote that comes while the run is being parked is never lost', async () => {
  const workflow = await runs.makeWorkflow(workspace, { input, steps: [ask] });
  const ids = await Promise.all(Array.from({ length: 12 }, () => runs.start(workspace, workflow, { text: 'race' })));
  await Promise.all(
    ids.map(async (runId) => {
      // the row stands before the run is parked: this votes right in between
      await expect.poll(() => approvalOf(runId), { interval: 1, timeout: 60_000 }).toBeDefined();
      await vote(runId, 'approve');
    }),
  );
  for (const runId of ids) expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
});

test('a run continues from the step that failed: what was done is kept, what was approved is asked again', async () => {
  const echo = { id: 'book', name: 'Book', kind: 'tool', connection: slug, capability: 'echo', input: { text: '=input.text' } };
  const reckon = { id: 'reckon', name: 'Reckon', kind: 'transform', expression: '$error("not today")' };
  const workflow = await runs.makeWorkflow(workspace, { input, steps: [echo, ask, reckon] });
  const first = await runs.start(workspace, workflow, { text: 'once' });
  await runs.until(first, ['waiting']);
  await vote(first, 'approve');
  expect(await runs.until(first, ['failed'])).toMatchObject({ error: { step: 'reckon' } });
  const plan = planFork(workflow.document, new Map((await runs.steps(first)).map((step) => [step.path, step.status])), 'reckon');
  if (plan === null) throw new Error('the run never came to the step');
  const from = { runId: first, path: 'reckon', plan };
  const stepsOf = async (runId: string) => (await runs.steps(runId)).map((step) => [step.path, step.status]);
  const waiting = [
    ['book', 'success'],
    ['ask', 'waiting'],
  ];

  const second = await runs.start(workspace, workflow, { text: 'once' }, null, from);
  await runs.until(second, ['waiting']);
  expect(await stepsOf(second)).toEqual(waiting);
  expect(calls).toHaveLength(1);
  // Neither another input, nor an approval that someone asks to be kept.
  await expect(runs.start(workspace, workflow, { text: 'another' }, null, from)).rejects.toMatchObject({ code: 'forbidden' });
  const greedy = { ...from, plan: { ...plan, kept: [...plan.kept, 'ask'] } };
  const third = await runs.start(workspace, workflow, { text: 'once' }, null, greedy);
  await runs.until(third, ['waiting']);
  expect(await stepsOf(third)).toEqual(waiting);
  expect(calls).toHaveLength(1);
});

test('a run continues with data that a person changed: what came before is kept, the change is named and counts as high risk', async () => {
  const look = { id: 'look', name: 'Look', kind: 'tool', connection: slug, capability: 'echo', input: { text: '=input.text' } };
  const tell = { id: 'tell', name: 'Tell', kind: 'tool', connection: slug, capability: 'echo', input: { text: '=steps.look.echoed' } };
  const after = { id: 'after', name: 'After', kind: 'tool', connection: slug, capability: 'echo', input: { text: '=steps.tell.echoed' } };
  const workflow = await runs.makeWorkflow(workspace, { input, steps: [look, tell, after] });
  const first = await runs.start(workspace, workflow, { text: 'seen' });
  await runs.until(first, ['completed']);
  const planOf = (path: string) => {
    const plan = planFork(workflow.document, new Map(['look', 'tell', 'after'].map((step) => [step, 'success'])), path);
    if (plan === null) throw new Error('the run never came to the step');
    return plan;
  };
  const continued = async (runId: string, path: string, changed?: DataChange) => {
    calls = [];
    const from = { runId, path, plan: planOf(path), ...(changed === undefined ? {} : { changed }) };
    const id = await runs.start(workspace, workflow, { text: 'seen' }, null, from);
    // High risk is asked about again at each call.
    await expect
      .poll(async () => {
        const asked = `select from quorate.approvals where run_id = $1 and status = 'pending'`;
        if ((await database.owner.query(asked, [id])).rowCount !== 0) await runs.approve(workspace, id);
        return (await runs.run(id)).status;
      })
      .toBe('completed');
    const { rows: risks } = await database.owner.query(
      `select step_path as step, context ->> 'risk' as risk from quorate.decisions where run_id = $1 group by 1, 2 order by 1 desc`,
      [id],
    );
    const { rows } = await database.owner.query(
      `select payload from quorate.audit_events where resource_id = $1 and action = 'run.started'`,
      [id],
    );
    return { id, texts: calls.map((call) => call.input.text), risks, payload: rows[0].payload };
  };
  const digests = { before: 'a'.repeat(64), after: 'b'.repeat(64) };

  const result = await continued(first, 'tell', { path: 'look', part: 'output', value: { echoed: 'other' }, ...digests });
  expect(result.texts).toEqual(['other', 'other']);
  expect(result.risks).toEqual([
    { step: 'tell', risk: 'high' },
    { step: 'after', risk: 'high' },
  ]);
  expect(result.payload).toMatchObject({ from: first, fromStep: 'tell', changed: { step: 'look', part: 'output', ...digests } });
  expect(JSON.stringify(result.payload)).not.toContain('other');
  expect((await runs.steps(result.id))[0]).toMatchObject({ path: 'look', status: 'success', reason: { key: 'stepChanged' } });

  const typed = await continued(first, 'tell', { path: 'tell', part: 'input', value: { text: 'typed' }, ...digests });
  expect(typed.texts).toEqual(['typed', 'typed']);
  expect(typed.risks.map(({ risk }) => risk)).toEqual(['high', 'high']);
  expect((await runs.steps(typed.id)).find(({ path }) => path === 'tell')).toMatchObject({
    attempt: 1,
    reason: { values: { changed: true } },
  });

  // Continued once more, it is still known.
  const again = await continued(typed.id, 'after');
  expect(again.texts).toEqual(['typed']);
  expect(again.risks).toEqual([{ step: 'after', risk: 'high' }]);
  const plain = await continued(first, 'after');
  expect(plain.risks).toEqual([{ step: 'after', risk: 'low' }]);

  // Nothing else than what is kept, and the input of the step itself, and by nobody who may not change the workflow.
  for (const place of [
    { path: 'after', part: 'output' },
    { path: 'look', part: 'input' },
    { path: 'nowhere', part: 'output' },
  ] as const)
    await expect(continued(first, 'tell', { ...place, value: {}, ...digests })).rejects.toMatchObject({ code: 'forbidden' });
  const builder = { ...workspace.builder };
  workspace.builder = { ...workspace.approver };
  try {
    await expect(continued(first, 'tell', { path: 'look', part: 'output', value: {}, ...digests })).rejects.toMatchObject({
      code: 'forbidden',
    });
  } finally {
    workspace.builder = builder;
  }
});

test('an approval says what it would do, out of what its digest covers', async () => {
  const sentence = 'Send {{ input.text }} to {{ input.nobody }}';
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [{ ...ask, sentence }] }), {
    text: 'hel\u200Blo',
  });
  await runs.until(runId, ['waiting', 'failed']);
  const approval = await approvalOf(runId);
  expect(approval.subject.input).toMatchObject({ question: 'Send it?', sentence: ['Send hel\\u{200b}lo to'] });
  const told = await database.owner.query(
    "select quorate.run_of_notice(n) -> 'asked' as asked from quorate.notifications n where once = $1",
    [`approval:${approval.id}`],
  );
  expect(told.rows.length).toBeGreaterThan(0);
  for (const { asked } of told.rows) expect(readAsked(asked)).toEqual({ sentence: approval.subject.input.sentence });
});

test('an approval step whose sentence cannot be made fails, as with what it shows', async () => {
  const steps = [{ ...ask, sentence: 'Send {{ $error("no") }}' }];
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps }), { text: 'hello' });
  expect(await runs.until(runId, ['waiting', 'failed'])).toMatchObject({ status: 'failed' });
  expect(await approvalOf(runId)).toBeUndefined();
});

test.each<[string, Json, Json]>([
  [
    'a call',
    { capability: { name: 'pay' }, input: { b: 'x'.repeat(90), a: 1 } },
    {
      action: 'pay',
      values: [
        ['b', 'x'.repeat(80)],
        ['a', 1],
      ],
    },
  ],
  [
    'the order of its author',
    { capability: { name: 'pay' }, input: { z: 1, a: 2 } },
    {
      values: [
        ['z', 1],
        ['a', 2],
      ],
    },
  ],
  ['no more than is short', { capability: { name: 'pay' }, input: { o: { t: 'x'.repeat(200) }, l: [1], n: null } }, { values: null }],
  ['no sentence of a call', { capability: { name: 'pay' }, input: { sentence: ['Pay nobody'] } }, { sentence: null }],
  ['nothing of an input that is none', { capability: null, input: 'x' }, { action: null, sentence: null, values: null }],
])('the words of an approval: %s', async (_name, subject, expected) => {
  const { rows } = await database.owner.query('select quorate.asked_of($1::json) as asked', [JSON.stringify(subject)]);
  expect(rows[0].asked).toMatchObject(expected as object);
});
