/** A version that has effects outside is published by two, where the workspace asks for it: by command, and by SQL as the login. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { controlSubjectSchema } from '#app/domain/control/control-subject.ts';
import { agentDocumentSchema, EMPTY_AGENT } from '#app/domain/workflows/agent.ts';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { createAgent } from '#app/engine/commands/agents/create-agent.ts';
import { publishAgent } from '#app/engine/commands/agents/publish-agent.ts';
import { approveOffered } from '#app/engine/commands/connections/approve-offered.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { publishWorkflow } from '#app/engine/commands/workflows/publish-workflow.ts';
import { reviewEffects } from '#app/engine/commands/workspaces/review-effects.ts';
import { reviewOfTools } from '#app/engine/connections/approve-capabilities.ts';
import { loadTools } from '#app/features/control/load-tools.server.ts';
import { askedOf, type ControlDesk, openControlDesk } from '#tests/integration/support/control-desk.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let desk: ControlDesk;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace({ reviewsEffects: true });
  desk = openControlDesk(database, fixture, workspace);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const MESSAGE = { id: 'tell', name: 'Tell', kind: 'message', to: ['starter'], text: 'Done' };
const TRANSFORM = { id: 'shape', name: 'Shape', kind: 'transform', expression: '1' };
const documentOf = (...steps: unknown[]) => workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, steps });

const draft = async (by: TestMember, ...steps: unknown[]): Promise<string> =>
  (
    await perform(createWorkflow, desk.as(by), desk.deps(), {
      name: 'Pay out',
      description: '',
      document: documentOf(...steps),
      template: null,
    })
  ).id;
const publish = (by: TestMember, workflow: string, reason = 'The customer asked for it') =>
  perform(publishWorkflow, desk.as(by), desk.deps(), { workflow, revision: 1, reason });
const inForce = async (id: string) =>
  (
    await database.owner.query(
      'select a.status, v.number from quorate.artifacts a left join quorate.versions v on v.id = a.published_version_id where a.id = $1',
      [id],
    )
  ).rows[0];
const lastEvent = async () =>
  (
    await database.owner.query(
      'select action, resource_kind, payload from quorate.audit_events where workspace_id = $1 order by id desc limit 1',
      [workspace.id],
    )
  ).rows[0];

describe('a workflow', () => {
  test('with effects is in force when another person agrees, and the log says who asked', async () => {
    const workflow = await draft(workspace.builder, MESSAGE);
    await expect(publish(workspace.builder, workflow, '')).rejects.toMatchObject({ message: 'changeReason' });
    const change = askedOf(await publish(workspace.builder, workflow));
    expect(await inForce(workflow)).toEqual({ status: 'inactive', number: null });
    expect(await lastEvent()).toMatchObject({ action: 'change.requested', payload: { kind: 'workflow_publish', resource: workflow } });
    await expect(publish(workspace.builder, workflow)).rejects.toMatchObject({ message: 'changeWaitsAlready' });
    await desk.vote(workspace.approver, change);
    expect(await inForce(workflow)).toEqual({ status: 'active', number: 1 });
    expect(await lastEvent()).toMatchObject({
      action: 'workflow.published',
      resource_kind: 'workflow',
      payload: { change, requestedBy: workspace.builder.id },
    });
    await expect(desk.vote(workspace.approver, change)).rejects.toMatchObject({ message: 'change.closed' });
  });

  test('without effects, or where the workspace does not ask, is published alone', async () => {
    const pure = await draft(workspace.builder, TRANSFORM);
    expect(await publish(workspace.builder, pure, '')).toEqual({ state: 'done' });
    expect((await lastEvent()).payload).not.toHaveProperty('separated');
    await database.arrange(workspace.id, async (client) => {
      await client.query('update quorate.workspaces set reviews_effects = false where id = $1', [workspace.id]);
    });
    const workflow = await draft(workspace.builder, MESSAGE);
    expect(await publish(workspace.builder, workflow, '')).toEqual({ state: 'done' });
    expect((await lastEvent()).payload).not.toHaveProperty('separated');
    expect(await inForce(workflow)).toEqual({ status: 'active', number: 1 });
  });

  test('is published at once where there is nobody else, and the log says that the two were not separated', async () => {
    const alone = await database.makeWorkspace({ reviewsEffects: true, members: [{ roles: ['user', 'builder', 'admin'] }] });
    const [ada] = alone.members;
    if (ada === undefined) throw new Error('nobody');
    workspace = { ...alone, builder: ada, approver: ada, admin: ada };
    desk = openControlDesk(database, fixture, workspace);
    const workflow = await draft(ada, MESSAGE);
    expect(await publish(ada, workflow, '')).toEqual({ state: 'done' });
    expect(await lastEvent()).toMatchObject({ action: 'workflow.published', payload: { separated: false } });
  });

  test('is not agreed to by who published it, nor made once they build no longer', async () => {
    const both = await desk.join(['user', 'builder', 'approver']);
    const change = askedOf(await publish(both, await draft(both, MESSAGE)));
    await expect(desk.vote(both, change)).rejects.toMatchObject({ message: 'change.requester' });
    await desk.setRoles(both, ['user', 'approver']);
    await expect(desk.vote(workspace.approver, change)).rejects.toMatchObject({ message: 'change.requesterGone' });
  });

  test('whose draft another approver publishes is not agreed to by who wrote the version', async () => {
    const both = await desk.join(['user', 'builder', 'approver']);
    const workflow = await draft(both, MESSAGE);
    const first = askedOf(await publish(both, workflow));
    await desk.vote(workspace.approver, first, { vote: 'reject', reason: 'Not yet' });
    const { rows } = await database.owner.query('select id from quorate.versions where artifact_id = $1', [workflow]);
    const again = await desk.ask(workspace.builder, {
      kind: 'workflow_publish',
      resource: workflow,
      before: { status: 'inactive', versionId: null },
      after: { status: 'active', versionId: rows[0].id },
    });
    await expect(desk.vote(both, again)).rejects.toMatchObject({ message: 'change.author' });
    await desk.vote(workspace.admin, again);
    expect(await inForce(workflow)).toEqual({ status: 'active', number: 1 });
  });
});

test('an agent that may write waits as well, by the tools that its version freezes', async () => {
  const model = await fixture.makeCapability(workspace, { name: 'model-1', kind: 'model', slug: 'models' });
  await fixture.makeCapability(workspace, { name: 'look_up', slug: 'reading', reads: true });
  await fixture.makeCapability(workspace, { name: 'transfer', slug: 'writing', writes: true });
  const agent = async (tool: { connection: string; capability: string }) => {
    const document = agentDocumentSchema.parse({
      ...EMPTY_AGENT,
      instructions: 'Help',
      connection: model.slug,
      model: 'model-1',
      tools: [{ kind: 'tool', ...tool }],
    });
    const about = { name: 'Helper', description: '', tags: [] };
    const { id } = await perform(createAgent, desk.as(workspace.builder), desk.deps(), { about, document });
    const outcome = await perform(publishAgent, desk.as(workspace.builder), desk.deps(), { agent: id, revision: 1, reason: 'It helps' });
    return { id, outcome };
  };
  expect((await agent({ connection: 'reading', capability: 'look_up' })).outcome).toEqual({ state: 'done' });
  const { id, outcome } = await agent({ connection: 'writing', capability: 'transfer' });
  await desk.vote(workspace.admin, askedOf(outcome));
  expect(await inForce(id)).toEqual({ status: 'active', number: 1 });
  expect(await lastEvent()).toMatchObject({ action: 'agent.published' });
});

describe('effects', () => {
  const EFFECTS: Record<(typeof STEP_KINDS)[number], boolean> = {
    tool: true,
    agent: true,
    model: false,
    http: true,
    approval: false,
    branch: false,
    for_each: false,
    repeat: false,
    transform: false,
    wait: false,
    try: false,
    sub_workflow: true,
    message: true,
    cleanup: false,
    human_task: false,
    create_document: false,
    read_document: false,
  };
  const hasEffects = async (document: unknown) =>
    (await database.owner.query('select quorate.has_effects($1, $2::jsonb) as has', [workspace.id, JSON.stringify(document)])).rows[0].has;

  test('are those of each kind of step, wherever it stands', async () => {
    for (const kind of STEP_KINDS) {
      const step = { kind, connection: 'somewhere', capability: 'POST' };
      expect(await hasEffects({ steps: [step] }), kind).toBe(EFFECTS[kind]);
      expect(await hasEffects({ steps: [{ kind: 'branch', branches: [{ label: 'a', steps: [step] }] }] }), kind).toBe(EFFECTS[kind]);
    }
  });

  test('are told by the method of a request and the definition of a tool, and those of an unknown one are supposed', async () => {
    await fixture.makeCapability(workspace, { name: 'look_up', slug: 'reading', reads: true });
    await fixture.makeCapability(workspace, { name: 'change', slug: 'writing' });
    const step = (kind: string, connection: string, capability: string) => ({ steps: [{ kind, connection, capability }] });
    expect(await hasEffects(step('http', 'api', 'GET'))).toBe(false);
    expect(await hasEffects(step('http', 'api', 'DELETE'))).toBe(true);
    expect(await hasEffects(step('tool', 'reading', 'look_up'))).toBe(false);
    expect(await hasEffects(step('tool', 'writing', 'change'))).toBe(true);
    expect(await hasEffects(step('tool', 'reading', 'unknown'))).toBe(true);
    expect(await hasEffects(step('agent', '@agents', newId()))).toBe(false);
    expect(
      await hasEffects({ steps: [], agents: { a: { document: { tools: [{ kind: 'tool', connection: 'x', capability: 'y' }] } } } }),
    ).toBe(true);
  });
});

describe('the review', () => {
  const set = (on: boolean, reason = 'It takes too long') => perform(reviewEffects, desk.as(workspace.admin), desk.deps(), { on, reason });
  const isOn = async () =>
    (await database.owner.query('select reviews_effects from quorate.workspaces where id = $1', [workspace.id])).rows[0].reviews_effects;

  test('is ended when another person agrees, and begun alone', async () => {
    await expect(set(false, '')).rejects.toMatchObject({ message: 'changeReason' });
    const change = askedOf(await set(false));
    expect(await isOn()).toBe(true);
    await desk.vote(workspace.approver, change);
    expect(await isOn()).toBe(false);
    expect(await lastEvent()).toMatchObject({ action: 'workspace.configured', payload: { change, after: { reviewsEffects: false } } });
    expect(await set(true, '')).toEqual({ state: 'done' });
    expect(await isOn()).toBe(true);
    await expect(set(true)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is not passed by the login, whichever way it goes', async () => {
    const workflow = await draft(workspace.builder, MESSAGE);
    const change = askedOf(await publish(workspace.builder, workflow));
    const { rows } = await database.owner.query('select id from quorate.versions where artifact_id = $1', [workflow]);
    const attempts: [TestMember, string][] = [
      [
        workspace.builder,
        `update quorate.artifacts set published_version_id = '${rows[0].id}', status = 'active' where id = '${workflow}'`,
      ],
      [
        workspace.builder,
        `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status, published_version_id)
           values ('${newId()}', '${workspace.id}', 'workflow', 'Put in', '${workspace.builder.id}', 'active', '${rows[0].id}')`,
      ],
      [workspace.admin, `update quorate.workspaces set reviews_effects = false where id = '${workspace.id}'`],
      [workspace.builder, `select quorate.apply_control_change(c) from quorate.control_changes c where id = '${change}'`],
    ];
    for (const [member, text] of attempts) expect(['QP005', '42501'], text).toContain(await desk.statement(member, text));
    const asked = { kind: 'workspace_settings', resource: workspace.id, before: { reviewsEffects: true } };
    for (const after of [{ reviewsEffects: true }, { reviewsEffects: 'no' }, {}, null])
      await expect(desk.ask(workspace.admin, { ...asked, after }), JSON.stringify(after)).rejects.toMatchObject({ code: 'conflict' });
    await expect(desk.ask(workspace.builder, { ...asked, after: { reviewsEffects: false } })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await inForce(workflow)).toEqual({ status: 'inactive', number: null });
    expect(await isOn()).toBe(true);
  });

  test('of one workspace tells the login of another nothing', async () => {
    await fixture.makeCapability(workspace, { name: 'look_up', slug: 'reading', reads: true });
    const other = await fixture.makeWorkspace({ reviewsEffects: true });
    const document = { steps: [{ kind: 'tool', connection: 'reading', capability: 'look_up' }] };
    const reviewIn = (where: Workspace) =>
      fixture.asMember(where, where.builder, async (db) => {
        const { rows } = await sql<{
          review: string;
        }>`select quorate.review_of_version(${JSON.stringify(document)}::jsonb) as review`.execute(db);
        return { result: rows[0]?.review, event: { action: 'policy.paused', resource: { kind: 'policy', id: 'x' } } };
      });
    expect(await reviewIn(workspace)).toBe('none');
    expect(await reviewIn(other)).toBe('needed');
    const { rows } = await database.owner.query(
      `select p.oid::regprocedure::text as function from pg_proc p join pg_namespace n on n.oid = p.pronamespace
        where n.nspname = 'quorate' and has_function_privilege('quorate_member', p.oid, 'execute')
          and p.proname ~ '(review_of|has_effects)' and 'p_workspace' = any (p.proargnames)`,
    );
    expect(rows).toEqual([]);
  });
});

describe('a tool', () => {
  const offered = async (name: string, how: { writes?: boolean; reads?: boolean }) => {
    const made = await fixture.makeCapability(workspace, { name, approved: false, ...how });
    return {
      id: made.capabilityId,
      connection: { id: made.connectionId, name: made.slug },
      shown: [{ id: made.capabilityId, fingerprint: 'f1' }],
    };
  };
  const approve = (by: TestMember, { connection, shown }: Awaited<ReturnType<typeof offered>>, reason = 'Payments need it') =>
    perform(approveOffered, desk.as(by), desk.deps(), { connection, shown, reason });
  const approvedOf = async (id: string) =>
    (await database.owner.query('select approved_fingerprint, approved_by from quorate.capabilities where id = $1', [id])).rows[0];

  test('that writes is approved by two, exactly as it was asked about, and one that only reads by one', async () => {
    const reads = await offered('look_up', { reads: true });
    expect(await approve(workspace.approver, reads, '')).toMatchObject({ state: 'done' });
    const writes = await offered('transfer', { writes: true });
    const { id } = writes;
    await expect(approve(workspace.approver, writes, '')).rejects.toMatchObject({ message: 'changeReason' });
    const change = askedOf(await approve(workspace.approver, writes));
    expect(await approvedOf(id)).toMatchObject({ approved_fingerprint: null });
    await expect(desk.vote(workspace.approver, change)).rejects.toMatchObject({ message: 'change.requester' });
    const redefine = (fingerprint: string) =>
      database.arrange(workspace.id, async (client) => {
        await client.query('update quorate.capabilities set fingerprint = $2 where id = $1', [id, fingerprint]);
      });
    await redefine('f2');
    await expect(desk.vote(workspace.admin, change)).rejects.toMatchObject({ message: 'change.changed' });
    await redefine('f1');
    await desk.vote(workspace.admin, change);
    expect(await approvedOf(id)).toEqual({ approved_fingerprint: 'f1', approved_by: workspace.approver.id });
    expect(await lastEvent()).toMatchObject({ action: 'capability.approved', payload: { change } });
  });

  test('is shown with what it hides, as it was asked about, and only while that is what is agreed to', async () => {
    const writes = await offered('transfer', { writes: true });
    await database.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.capabilities set definition = $2, approved_definition = $3, description = $4 where id = $1`, [
        writes.id,
        '{"b":1,"a":"pay\u200b"}',
        '{"a":"pay","b":1}',
        'Pays\u202e',
      ]);
    });
    const change = askedOf(await approve(workspace.approver, writes));
    const shown = async (isPending: boolean) => {
      const subject = controlSubjectSchema.parse((await desk.changeOf(change)).subject);
      const who = { userId: workspace.admin.id, sessionId: workspace.admin.sessionId, workspaceId: workspace.id };
      return database.database.asMember(who, (db) => loadTools(db, subject, isPending));
    };
    const [tool] = await shown(true);
    expect(tool).toMatchObject({ name: 'transfer', description: 'Pays\\u{202e}', fingerprint: 'f1' });
    // A peer that only orders its members differently has changed nothing.
    expect(tool?.text?.filter(({ change }) => change !== 'same').map(({ text }) => text.trim())).toEqual([
      '"a": "pay"',
      '"a": "pay\\u{200b}"',
    ]);
    expect(await shown(false)).toMatchObject([{ fingerprint: 'f1', text: null }]);
    await database.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.capabilities set fingerprint = 'f2' where id = $1`, [writes.id]);
    });
    expect(await shown(true)).toMatchObject([{ fingerprint: 'f1', text: null }]);
  });

  test('is not approved past the agreement by the login, whatever it says of the tool', async () => {
    const { id, connection } = await offered('transfer', { writes: true });
    const reading = `'{"annotations":{"readOnlyHint":true}}'`;
    for (const set of [
      `approved_fingerprint = 'f1', approved_definition = definition`,
      `approved_fingerprint = 'f1', approved_definition = ${reading}`,
      `approved_fingerprint = 'f1', approved_definition = null`,
    ])
      expect(await desk.statement(workspace.admin, `update quorate.capabilities set ${set} where id = '${id}'`), set).toBe('QP005');
    const asked = { kind: 'connection_approve', resource: connection.id, before: { approved: { [id]: null } } };
    for (const after of [{ approved: { [id]: 'f2' } }, { approved: { [newId()]: 'f1' } }, { approved: {} }, null])
      await expect(desk.ask(workspace.admin, { ...asked, after }), JSON.stringify(after)).rejects.toMatchObject({ code: 'conflict' });
    expect(await approvedOf(id)).toMatchObject({ approved_fingerprint: null });
  });

  test('of which something is not found waits: an unknown one, that of another workspace, and one without a definition', async () => {
    const reads = await offered('look_up', { reads: true });
    const other = await fixture.makeWorkspace({ reviewsEffects: true });
    const reviewIn = (where: Workspace, ids: string[]) =>
      fixture.asMember(where, where.approver, async (db) => ({
        result: await reviewOfTools(db, ids),
        event: { action: 'policy.paused', resource: { kind: 'policy', id: 'x' } },
      }));
    expect(await reviewIn(workspace, [reads.id])).toBe('none');
    expect(await reviewIn(workspace, [reads.id, newId()])).toBe('needed');
    expect(await reviewIn(other, [reads.id])).toBe('needed');
    const review = (call: string) =>
      fixture.asMember(workspace, workspace.approver, async (db) => {
        const { rows } = await sql<{ review: string }>`select ${sql.raw(`quorate.review_of_tool(${call})`)} as review`.execute(db);
        return { result: rows[0]?.review, event: { action: 'policy.paused', resource: { kind: 'policy', id: 'x' } } };
      });
    const reading = `'{"annotations":{"readOnlyHint":true}}'`;
    expect(await review(`'tool', '${reads.connection.id}', ${reading}`)).toBe('none');
    for (const call of [
      `'tool', '${newId()}', ${reading}`,
      `'tool', '${reads.connection.id}', ${reading}, null`,
      `'tool', '${reads.connection.id}', variadic '{}'`,
    ])
      expect(await review(call), call).toBe('needed');
  });
});
