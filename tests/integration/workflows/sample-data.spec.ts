/** The data of the newest run, which the editor shows where expressions are written, and evaluates them on. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { duplicateSteps } from '#app/domain/workflows/edit/several-steps.ts';
import { type Step, stepSchema } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDocument, WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { replaceStep, stepAt } from '#app/domain/workflows/workflow-edit.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { startAgain } from '#app/engine/commands/runs/start-again.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import { testStep } from '#app/engine/commands/runs/test-step.ts';
import { editWorkflow } from '#app/engine/commands/workflows/edit-workflow.ts';
import { pinOutput } from '#app/engine/commands/workflows/pin-output.ts';
import { stepThroughDrafts } from '#app/engine/commands/workflows/step-through-drafts.ts';
import { unpinOutput } from '#app/engine/commands/workflows/unpin-output.ts';
import { evaluateElsewhere } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { readSampleData, type SampleScope } from '#app/engine/workflows/read-sample-scope.ts';
import { loadKnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';
import { commandDeps, principalOf as principalIn } from '#tests/integration/support/policy-in-force.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let plain: TestMember | undefined;
/** The calls that reached a peer. */
const called: { name: string; input: { [name: string]: Json } }[] = [];
let workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  const made = await database.makeWorkspace({
    members: [{ roles: ['user', 'builder'] }, { roles: ['user', 'approver'] }, { roles: ['user', 'admin'] }, { roles: ['user'] }],
  });
  const [builder, approver, admin, user] = made.members;
  if (builder === undefined || approver === undefined || admin === undefined) throw new Error('no members');
  plain = user;
  workspace = { ...made, builder, approver, admin };
  await runs.startWorker(async ({ capability, input }) => {
    called.push({ name: capability.name, input });
    return { output: { paid: input.amount ?? null }, protocolVersion: '1' };
  });
  const inner = { id: 'twice', name: 'Twice', kind: 'transform', expression: '=item * 2' };
  workflow = await runs.makeWorkflow(workspace, {
    input: [{ name: 'n', title: 'N', type: 'number', required: true }],
    steps: [
      { id: 'large', name: 'Large', kind: 'transform', expression: '=$join([1..9000].("word"))' },
      { id: 'each', name: 'Each', kind: 'for_each', items: '=[input.n, 8]', branches: [{ label: 'each', steps: [inner] }] },
    ],
  });
  await openDraft(workflow);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

/** The draft is what the editor has open. */
const openDraft = ({ artifactId, document }: typeof workflow) =>
  database.arrange(workspace.id, async (client) => {
    await client.query('insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) values ($1, $2, 1, $3, $4)', [
      workspace.id,
      artifactId,
      JSON.stringify(document),
      workspace.builder.id,
    ]);
    await client.query('update quorate.artifacts set draft_revision = 1 where id = $1', [artifactId]);
  });
const principalOf = (member: TestMember) => principalIn(database, runs, workspace, member);
const deps = () => commandDeps(runs);
/** Tests a step of a draft, with `change` as its form has it. */
async function testOf(id: string, path: string, member = workspace.builder, sample: number | null = null, change: Partial<Step> = {}) {
  const { document } = await as<WorkflowDraft>(workspace.builder, (db) => loadDraft(db, id));
  const step = stepSchema.parse({ ...stepAt(document, path), ...change });
  return await perform(testStep, principalOf(member), deps(), { workflow: id, revision: 1, path, step, sample, requestKey: newId() });
}
const as = <T>(member: TestMember, work: Parameters<TestDatabase['database']['asMember']>[1]) =>
  database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work) as Promise<T>;
const scopeAt = (member: TestMember, path: string) =>
  as<SampleScope | null>(member, async (db) =>
    readSampleData(db, await loadDraft(db, workflow.artifactId), path).then((data) => data?.scope ?? null),
  );

test('there is none before a run has ended; then it is the newest, with the first item inside a loop', async () => {
  expect(await scopeAt(workspace.builder, 'each')).toBeNull();
  await runs.until(await runs.start(workspace, workflow, { n: 3 }), ['completed']);
  const newest = await runs.start(workspace, workflow, { n: 5 });
  await runs.until(newest, ['completed']);
  const outside = await scopeAt(workspace.builder, 'each');
  expect(outside).toMatchObject({ input: { n: 5 }, run: { id: newest }, steps: { each: { ok: 2 } } });
  expect(outside).not.toHaveProperty('item');
  // Outputs of many kilobytes are not read for a sample.
  expect(outside?.steps).not.toHaveProperty('large');
  const inside = await scopeAt(workspace.builder, 'each/each/twice');
  expect(inside).toMatchObject({ item: 5, index: 0 });
  if (inside !== null) expect(await evaluateElsewhere('item + input.n', inside)).toBe(10);
  const known = await as<Awaited<ReturnType<typeof loadKnownData>>>(workspace.builder, async (db) =>
    loadKnownData(db, await loadDraft(db, workflow.artifactId), 'each/each/twice', []),
  );
  expect(known.groups.flatMap(({ values }) => values).find(({ expression }) => expression === 'item')).toMatchObject({ sample: '5' });
});

test('of a run that the member may not see there is none', async () => {
  if (plain === undefined) throw new Error('no member');
  const draft = await as<Awaited<ReturnType<typeof loadDraft>>>(workspace.builder, (db) => loadDraft(db, workflow.artifactId));
  const seen = await as<unknown>(plain, (db) => readSampleData(db, draft, 'each'));
  expect(seen).toBeNull();
});

test('an expression that would not end is ended, in a process of its own', async () => {
  const scope = await scopeAt(workspace.builder, 'each');
  if (scope === null) throw new Error('no run');
  await expect(evaluateElsewhere('($f := function($n) { $f($n + 1) }; $f(1))', scope)).rejects.toMatchObject({ explanation: {} });
  await expect(evaluateElsewhere('[1', scope)).rejects.toMatchObject({ explanation: { key: 'expressionUnreadable' } });
});

test('the test of a step runs it alone, on the newest run, and its output is pinned for what comes later', async () => {
  const { artifactId: id } = workflow;
  const { runId } = await testOf(id, 'each/each/twice');
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', mode: 'test', output: 10 });
  expect(await runs.steps(runId)).toMatchObject([{ path: 'twice', kind: 'transform' }]);
  // It is none of the runs whose data the editor shows.
  expect(await scopeAt(workspace.builder, 'each')).toMatchObject({ input: { n: 5 } });
  const { runId: whole } = await testOf(id, 'each');
  await runs.until(whole, ['completed', 'failed']);
  await perform(pinOutput, principalOf(workspace.builder), deps(), { workflow: id, run: whole });
  await perform(pinOutput, principalOf(workspace.builder), deps(), { workflow: id, run: runId });
  expect(await scopeAt(workspace.builder, 'each')).toMatchObject({ input: { n: 5 }, steps: { twice: 10, each: { ok: 2 } } });
  await perform(unpinOutput, principalOf(workspace.builder), deps(), { workflow: id, step: 'twice' });
  expect((await scopeAt(workspace.builder, 'each'))?.steps).not.toHaveProperty('twice');
  await expect(perform(unpinOutput, principalOf(workspace.builder), deps(), { workflow: id, step: 'twice' })).rejects.toMatchObject({
    code: 'not_found',
  });
  // An ordinary run gives nothing to pin, and who does not author tests nothing.
  const live = await runs.start(workspace, workflow, { n: 1 });
  await runs.until(live, ['completed']);
  await expect(perform(pinOutput, principalOf(workspace.builder), deps(), { workflow: id, run: live })).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(testOf(id, 'each', workspace.approver)).rejects.toMatchObject({ code: 'forbidden' });
});

test('a step is tested as its form has it, and the draft stays as it is', async () => {
  const { artifactId: id } = workflow;
  const change = { id: 'thrice', expression: '=item * 3' } as Partial<Step>;
  const { runId } = await testOf(id, 'each/each/twice', workspace.builder, null, change);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: 3 });
  expect(await runs.steps(runId)).toMatchObject([{ path: 'thrice' }]);
  const { document, revision } = await as<WorkflowDraft>(workspace.builder, (db) => loadDraft(db, id));
  expect([revision, stepAt(document, 'each/each/twice')]).toMatchObject([1, { expression: expect.stringContaining('2') }]);
  // What stands in the form is checked, not what is saved; and it stays a step of its kind.
  const faulty = testOf(id, 'each/each/twice', workspace.builder, null, { expression: '=item *' } as Partial<Step>);
  await expect(faulty).rejects.toMatchObject({ code: 'conflict', values: { what: 'stepIssues' } });
});

/** A workflow whose payment follows a screening, with the screening's result pinned by hand. */
async function makePayment() {
  const { slug } = await runs.makeCapability(workspace, { name: 'pay', writes: true });
  const pay = { id: 'pay', name: 'Pay', kind: 'tool', connection: slug, capability: 'pay', input: { amount: '=steps.screen.amount' } };
  const screen = { id: 'screen', name: 'Screen', kind: 'transform', expression: '={"risk": "high", "findings": 2, "amount": 40}' };
  const payment = await runs.makeWorkflow(workspace, { steps: [screen, pay] });
  await openDraft(payment);
  const { runId } = await testOf(payment.artifactId, 'screen');
  await runs.until(runId, ['completed']);
  await perform(pinOutput, principalOf(workspace.builder), deps(), { workflow: payment.artifactId, run: runId });
  return payment;
}

test('policies judge a tested step by the outputs that it is given, and it waits for the approval that they need', async () => {
  const payment = await makePayment();
  called.length = 0;
  const { runId } = await testOf(payment.artifactId, 'pay');
  expect(await runs.until(runId, ['waiting', 'completed', 'failed'])).toMatchObject({ status: 'waiting' });
  expect(called).toEqual([]);
  await runs.approve(workspace, runId);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { paid: 40 } });
  expect(called).toEqual([{ name: 'pay', input: { amount: 40 } }]);
});

test('a pinned output follows its step to another short name and back, and goes with the step', async () => {
  const { artifactId: id } = await makePayment();
  const pinned = async () => {
    const { rows } = await database.owner.query<{ step_id: string }>('select step_id from quorate.step_pins where artifact_id = $1', [id]);
    return rows.map((row) => row.step_id);
  };
  const draft = () => as<WorkflowDraft>(workspace.builder, (db) => loadDraft(db, id));
  const edit = async (change: (document: WorkflowDocument) => WorkflowDocument | null) => {
    const { document, revision } = await draft();
    const input = { workflow: id, revision, document: change(document) ?? document, how: {} };
    return await perform(editWorkflow, principalOf(workspace.builder), deps(), input);
  };
  const renameTo = (name: string) => (document: WorkflowDocument) => {
    const [first] = document.steps;
    return first === undefined ? null : replaceStep(document, first.id, { ...first, id: name });
  };
  expect(await pinned()).toEqual(['screen']);
  expect(await edit(renameTo('check'))).toEqual({ unpinned: [] });
  expect(await pinned()).toEqual(['check']);
  const through = async (direction: 'undo' | 'redo') =>
    perform(stepThroughDrafts, principalOf(workspace.builder), deps(), { workflow: id, revision: (await draft()).revision, direction });
  await through('undo');
  expect(await pinned()).toEqual(['screen']);
  await through('redo');
  expect(await pinned()).toEqual(['check']);
  // One that is copied keeps its own; the copy has none.
  const { document: before } = await draft();
  expect(await edit((document) => duplicateSteps(document, ['check']))).toEqual({ unpinned: [] });
  expect(await pinned()).toEqual(['check']);
  // Another workflow in its place is not taken for the same steps under other names.
  expect(await edit(() => ({ ...before, steps: before.steps.map((step) => ({ ...step, id: `${step.id}_new` })) }))).toEqual({
    unpinned: ['Screen'],
  });
  expect(await pinned()).toEqual([]);
});

test('a live run cannot be given what is pinned: no worker reads it, and a live run takes no trial', async () => {
  const { artifactId, versionId } = workflow;
  const { rows } = await database.owner.query(`select has_table_privilege('quorate_worker', 'quorate.step_pins', 'select') as reads`);
  expect(rows).toEqual([{ reads: false }]);
  const insert = database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, trial) values ($1, $2, $3, $4, 'live', $5, '{"kind":"step"}')`,
      [newId(), workspace.id, artifactId, versionId, workspace.builder.id],
    );
  });
  await expect(insert).rejects.toMatchObject({ constraint: 'runs_trial_is_test' });
});

const dryRunOf = ({ artifactId: id, document }: typeof workflow, input: { [name: string]: Json } = {}) =>
  perform(startWorkflow, principalOf(workspace.builder), deps(), {
    workflow: { id, name: 'W', versionId: null, document },
    mode: 'test',
    input,
    requestKey: newId(),
    dry: true,
  });

test('a dry run goes through the whole flow, records what each call would be and what policies say, and calls what only reads', async () => {
  const { slug: reader } = await runs.makeCapability(workspace, { name: 'look', reads: true });
  const { slug: writer } = await runs.makeCapability(workspace, { name: 'send', writes: true });
  const call = (id: string, slug: string, capability: string, amount: string) => ({
    id,
    name: id,
    kind: 'tool',
    connection: slug,
    capability,
    input: { amount },
  });
  const whole = await runs.makeWorkflow(workspace, {
    input: [{ name: 'n', title: 'N', type: 'number', required: true }],
    steps: [
      call('look', reader, 'look', '=input.n'),
      call('send', writer, 'send', '=steps.look.paid'),
      { id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', show: { Paid: '=steps.send.paid' }, risk: 'low' },
      { id: 'tell', name: 'Tell', kind: 'message', to: ['approver'], text: 'Sent' },
      { id: 'form', name: 'Form', kind: 'human_task', question: 'Why?', fields: [{ name: 'why', title: 'Why', type: 'text' }] },
      { id: 'rest', name: 'Rest', kind: 'wait', mode: 'for', seconds: 3_600 },
      {
        id: 'each',
        name: 'Each',
        kind: 'for_each',
        items: '=[1, 2]',
        branches: [{ label: 'each', steps: [call('one', writer, 'send', '=item')] }],
      },
      { id: 'grade', name: 'Grade', kind: 'transform', expression: '={"risk": "high", "findings": 1}' },
      call('last', writer, 'send', '9'),
    ],
    output: '=steps.ask.approved',
  });
  await openDraft(whole);
  called.length = 0;
  const { runId } = await dryRunOf(whole, { n: 7 });
  expect(await runs.until(runId, ['waiting', 'completed', 'failed'])).toMatchObject({ status: 'completed', mode: 'test', output: true });
  expect(called).toEqual([{ name: 'look', input: { amount: 7 } }]);
  const steps = new Map((await runs.steps(runId)).map((step) => [step.path, step]));
  expect(steps.get('look')).toMatchObject({ status: 'success', reason: { values: { dry: 'called' } } });
  expect(steps.get('send')).toMatchObject({
    status: 'skipped',
    input: { amount: 7 },
    output: null,
    reason: { values: { dry: 'nothing' } },
  });
  expect(steps.get('ask')).toMatchObject({ status: 'skipped', reason: { key: 'dryApproval' }, input: { show: { Paid: null } } });
  expect(steps.get('tell')).toMatchObject({ status: 'skipped', input: { to: ['approver'] }, output: { text: 'Sent', recipients: 0 } });
  expect(steps.get('form')).toMatchObject({ status: 'skipped', reason: { key: 'dryTask', values: { dry: 'nothing' } } });
  expect(steps.get('rest')).toMatchObject({ status: 'skipped', reason: { key: 'dryWait' } });
  expect(steps.get('each/1/one')).toMatchObject({ status: 'skipped', input: { amount: 2 } });
  expect(steps.get('last')).toMatchObject({ status: 'skipped', reason: { values: { dryAsks: true } } });
  const { rows: decisions } = await database.owner.query(
    `select step_path, verdict, context ->> 'mode' as mode from quorate.decisions where run_id = $1 order by step_path`,
    [runId],
  );
  expect(decisions.map(({ step_path, verdict }) => [step_path, verdict])).toEqual([
    ['each/0/one', 'allow'],
    ['each/1/one', 'allow'],
    ['last', 'require_approval'],
    ['look', 'allow'],
    ['send', 'allow'],
  ]);
  const { rows: asked } = await database.owner.query(
    `select (select count(*)::int from quorate.approvals a where a.run_id = $1) as approvals,
      (select count(*)::int from quorate.human_tasks t where t.run_id = $1) as tasks,
      (select count(*)::int from quorate.notifications n where n.kind = 'message' and n.workspace_id = $2) as messages`,
    [runId, workspace.id],
  );
  expect(asked).toEqual([{ approvals: 0, tasks: 0, messages: 0 }]);
  // Started again it is dry again, and the database refuses what a worker in error would do.
  const { runId: again } = await perform(startAgain, principalOf(workspace.builder), deps(), {
    run: runId,
    step: null,
    requestKey: newId(),
  });
  expect(await runs.until(again, ['completed', 'failed'])).toMatchObject({ status: 'completed', trial: { kind: 'dry' } });
  expect(called.map(({ name }) => name)).toEqual(['look', 'look']);
  const refused = database.owner.query('select quorate.refuse_in_dry_run(r) from quorate.runs r where r.id = $1', [runId]);
  await expect(refused).rejects.toMatchObject({ code: 'QR005' });
});

test('a dry run takes the pinned output of what it does not call, before that of the newest run', async () => {
  const payment = await makePayment();
  await runs.until(await runs.start(workspace, payment, {}), ['waiting', 'failed']);
  const tested = await testOf(payment.artifactId, 'pay');
  await runs.until(tested.runId, ['waiting']);
  await runs.approve(workspace, tested.runId);
  await runs.until(tested.runId, ['completed']);
  await perform(pinOutput, principalOf(workspace.builder), deps(), { workflow: payment.artifactId, run: tested.runId });
  called.length = 0;
  const { runId } = await dryRunOf(payment);
  expect(await runs.until(runId, ['waiting', 'completed', 'failed'])).toMatchObject({ status: 'completed', output: { paid: 40 } });
  expect(called).toEqual([]);
  const [, pay] = await runs.steps(runId);
  expect(pay).toMatchObject({ status: 'skipped', reason: { values: { dry: 'pinned', dryAsks: true } }, input: { amount: 40 } });
});

test('what a dry run calls is dry itself, two deep: it records policies and calls what only reads, and its documents go when it ends', async () => {
  const { slug: reader } = await runs.makeCapability(workspace, { name: 'watch', reads: true });
  const { slug: writer } = await runs.makeCapability(workspace, { name: 'pay', writes: true });
  const call = (id: string, slug: string, capability: string) => ({
    ...{ id, name: id, kind: 'tool', connection: slug, capability, input: { amount: '=input.n' } },
  });
  const input = [{ name: 'n', title: 'N', type: 'number', required: true }];
  const page = { id: 'page', name: 'Page', kind: 'create_document', format: 'html', fileName: 'Page', template: 'For {{ input.n }}' };
  const sub = (id: string, { artifactId }: typeof workflow) => ({
    id,
    name: id,
    kind: 'sub_workflow',
    workflow: artifactId,
    input: { n: '=input.n' },
  });
  const inner = await runs.makeWorkflow(workspace, { input, steps: [call('watch', reader, 'watch'), call('pay', writer, 'pay')] });
  const middle = await runs.makeWorkflow(workspace, {
    input,
    steps: [page, call('pay', writer, 'pay'), sub('inner', inner)],
    output: '=steps.page',
  });
  const whole = await runs.makeWorkflow(workspace, {
    input,
    steps: [sub('middle', middle), { id: 'read', name: 'Read', kind: 'read_document', file: '=steps.middle' }],
    output: '=steps.read.text',
  });
  await openDraft(whole);
  called.length = 0;
  const { runId } = await dryRunOf(whole, { n: 7 });
  const ended = await runs.until(runId, ['completed', 'failed']);
  // Its own steps read what another has made, for as long as it goes on.
  expect(ended).toMatchObject({ status: 'completed', output: expect.stringContaining('For 7') });
  expect(called).toEqual([{ name: 'watch', input: { amount: 7 } }]);
  const { rows: below } = await database.owner.query(
    `with recursive below as (
       select r.* from quorate.runs r where r.caller_run_id = $1
       union all select r.* from below b join quorate.runs r on r.caller_run_id = b.id)
     select r.id, r.mode, r.trial ->> 'kind' as trial, r.status,
       (select array_agg(d.step_path || ' ' || d.verdict order by d.step_path) from quorate.decisions d where d.run_id = r.id) as decisions
     from below r order by r.created_at`,
    [runId],
  );
  expect(below).toMatchObject([
    { mode: 'test', trial: 'dry', status: 'completed', decisions: ['pay allow'] },
    { mode: 'test', trial: 'dry', status: 'completed', decisions: ['pay allow', 'watch allow'] },
  ]);
  const everywhere = [runId, ...below.map(({ id }) => id)];
  expect((await database.owner.query('select from quorate.run_files where run_id = any ($1)', [everywhere])).rowCount).toBe(0);
  const made = (await runs.steps(below[0]?.id)).find(({ path }) => path === 'page');
  expect(made).toMatchObject({ status: 'success', output: { name: 'Page.html', sha256: expect.any(String) } });
  // A live run keeps what it makes.
  const live = await runs.start(workspace, await runs.makeWorkflow(workspace, { input, steps: [page] }), { n: 7 });
  await runs.until(live, ['completed']);
  expect((await database.owner.query('select from quorate.run_files where run_id = $1', [live])).rowCount).toBe(1);
});
