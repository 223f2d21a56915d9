import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import type { AppError } from '#app/domain/errors.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';
import { addStep, newStep } from '#app/domain/workflows/workflow-edit.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { addConnection } from '#app/engine/connections/add-connection.ts';
import { putInForce } from '#app/engine/control/in-force.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';
import { createArtifact, loadDraft, nameOfCopy, saveDraft, stepDraft } from '#app/engine/workflows/drafts.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadWorkflowList } from '#app/features/workflows/list/load-workflow-list.server.ts';
import { createTestDatabase, type TestDatabase, type TestMember, type TestWorkspace } from '#tests/support/test-database.ts';

let database: TestDatabase;
let workspace: TestWorkspace & { members: TestMember[] };
let builder: TestMember;
let reader: TestMember;

beforeAll(async () => {
  database = await createTestDatabase();
  workspace = await database.makeWorkspace({ members: [{ roles: ['user', 'builder'] }, { roles: ['user'] }, { roles: ['admin'] }] });
  [builder, reader] = workspace.members as [TestMember, TestMember];
});
afterAll(async () => {
  await database.close();
});

const as = <T>(member: TestMember, work: (db: Db) => Promise<T>) =>
  database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work);

function change(member: TestMember, work: (db: Db) => Promise<unknown>) {
  return as(member, async (db) => {
    await work(db);
    const entry: AuditEntry = { action: 'workflow.edited', resource: { kind: 'workflow', id: workspace.id } };
    await recordEvent(db, { id: newId(), actor: { kind: 'member', id: member.id, name: member.name }, workspaceId: workspace.id, entry });
  });
}

async function makeWorkflow(document: WorkflowDocument = EMPTY_WORKFLOW): Promise<string> {
  const id = newId();
  await change(builder, (db) =>
    createArtifact(db, {
      kind: 'workflow',
      id,
      workspaceId: workspace.id,
      ownerId: builder.id,
      name: `Workflow ${id.slice(-6)}`,
      description: '',
      document,
    }),
  );
  return id;
}

const withStep = (document: WorkflowDocument) => addStep(document, '', newStep(document, 'transform', 'Add')) ?? document;
const save = (artifactId: string, expectedRevision: number, document: WorkflowDocument) =>
  change(builder, (db) => saveDraft(db, { artifactId, expectedRevision, document, authorId: builder.id, now: new Date() }));
const step = (artifactId: string, expectedRevision: number, direction: 'undo' | 'redo') =>
  change(builder, (db) => stepDraft(db, { artifactId, expectedRevision, direction, now: new Date() }));
const conflict = expect.objectContaining({ code: 'conflict' } satisfies Partial<AppError>);

test('a draft is saved over what its editor had seen, and never over anything else', async () => {
  const id = await makeWorkflow();
  const one = withStep(EMPTY_WORKFLOW);
  await save(id, 1, one);
  await expect(save(id, 1, EMPTY_WORKFLOW)).rejects.toThrow(conflict);
  const draft = await as(builder, (db) => loadDraft(db, id));
  expect(draft).toMatchObject({ revision: 2, canUndo: true, canRedo: false });
  expect(draft.document).toEqual(one);
});

test('of two who save at once one wins and the other is told', async () => {
  const id = await makeWorkflow();
  const outcomes = await Promise.allSettled([save(id, 1, withStep(EMPTY_WORKFLOW)), save(id, 1, withStep(withStep(EMPTY_WORKFLOW)))]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('undo and redo walk the saved states; saving after an undo drops what came later', async () => {
  const id = await makeWorkflow();
  const one = withStep(EMPTY_WORKFLOW);
  const two = withStep(one);
  await save(id, 1, one);
  await save(id, 2, two);
  await step(id, 3, 'undo');
  expect((await as(builder, (db) => loadDraft(db, id))).document).toEqual(one);
  await step(id, 2, 'redo');
  expect((await as(builder, (db) => loadDraft(db, id))).document).toEqual(two);
  await step(id, 3, 'undo');
  await save(id, 2, EMPTY_WORKFLOW);
  const draft = await as(builder, (db) => loadDraft(db, id));
  expect(draft).toMatchObject({ revision: 3, canRedo: false });
  expect(draft.document).toEqual(EMPTY_WORKFLOW);
  await expect(step(id, 3, 'redo')).rejects.toThrow(conflict);
});

test('publishing numbers versions one after the other, also at the same time; a version never changes', async () => {
  const id = await makeWorkflow(withStep(EMPTY_WORKFLOW));
  const publish = () =>
    change(builder, (db) =>
      freezeVersion(db, {
        id: newId(),
        workspaceId: workspace.id,
        artifactId: id,
        authorId: builder.id,
        document: withStep(EMPTY_WORKFLOW),
        publish: true,
      }),
    );
  await Promise.all([publish(), publish(), publish()]);
  const { rows } = await database.owner.query('select number, content_hash from quorate.versions where artifact_id = $1 order by number', [
    id,
  ]);
  expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
  expect(new Set(rows.map((row) => row.content_hash)).size).toBe(1);
  await expect(database.owner.query(`update quorate.versions set document = '{}' where artifact_id = $1`, [id])).rejects.toMatchObject({
    code: 'QA003',
  });
});

test('a plain user sees what is published and no draft', async () => {
  const hidden = await makeWorkflow();
  const shown = await makeWorkflow(withStep(EMPTY_WORKFLOW));
  await change(builder, async (db) => {
    const { id: versionId } = await freezeVersion(db, {
      id: newId(),
      workspaceId: workspace.id,
      artifactId: shown,
      authorId: builder.id,
      document: withStep(EMPTY_WORKFLOW),
      publish: true,
    });
    await putInForce(db, { kind: 'workflow', id: shown, state: { status: 'active', versionId }, now: new Date() });
  });
  const list = await as(reader, (db) =>
    loadWorkflowList(db, { workspaceId: workspace.id, userId: reader.id, params: new URLSearchParams() }),
  );
  expect(list.rows.map((row) => row.id)).toContain(shown);
  expect(list.rows.map((row) => row.id)).not.toContain(hidden);
  const author = { workspaceId: workspace.id, userId: builder.id, params: new URLSearchParams({ status: 'inactive' }) };
  const unpublished = await as(builder, (db) => loadWorkflowList(db, author));
  expect(unpublished.rows.map((row) => row.id)).toContain(hidden);
  expect(unpublished.rows.map((row) => row.id)).not.toContain(shown);
  await expect(as(reader, (db) => loadDraft(db, shown))).rejects.toThrow(expect.objectContaining({ code: 'not_found' }));
});

test('a plan holds its number of workflows, also for twenty who create at once', async () => {
  const small = await database.makeWorkspace({ members: [{ roles: ['builder'] }, { roles: ['admin'] }] });
  await database.arrange(small.id, async (client) => {
    await client.query(`update quorate.workspaces set plan = 'starter' where id = $1`, [small.id]);
  });
  const owner = small.members[0] as TestMember;
  const create = () =>
    database.database.asMember({ userId: owner.id, sessionId: owner.sessionId, workspaceId: small.id }, async (db) => {
      await requireQuota(db, small.id, 'workflows');
      await createArtifact(db, {
        kind: 'workflow',
        id: newId(),
        workspaceId: small.id,
        ownerId: owner.id,
        name: 'One more',
        description: '',
        document: EMPTY_WORKFLOW,
      });
      await recordEvent(db, {
        id: newId(),
        actor: { kind: 'member', id: owner.id, name: owner.name },
        workspaceId: small.id,
        entry: { action: 'workflow.created', resource: { kind: 'workflow', id: small.id } },
      });
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, create));
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(10);
});

test('and its number of agents, however they come in', async () => {
  const small = await database.makeWorkspace({ members: [{ roles: ['builder'] }, { roles: ['admin'] }] });
  await database.arrange(small.id, async (client) => {
    await client.query(`update quorate.workspaces set plan = 'starter' where id = $1`, [small.id]);
  });
  const owner = small.members[0] as TestMember;
  const offer = { protocolVersion: '1', capabilities: [] } as unknown as PeerInspection;
  const connect = (kind: 'a2a' | 'mcp') =>
    database.database.asMember({ userId: owner.id, sessionId: owner.sessionId, workspaceId: small.id }, async (db) => {
      const id = newId();
      const peer = {
        id,
        workspaceId: small.id,
        ownerId: owner.id,
        kind,
        name: `Peer ${id}`,
        description: '',
        endpoint: 'https://a.example',
      };
      const { event } = await addConnection(db, { ...peer, sealedCredential: null }, offer, { newId, at: new Date() });
      const actor = { kind: 'member', id: owner.id, name: owner.name } as const;
      await recordEvent(db, { id: newId(), actor, workspaceId: small.id, entry: event });
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => connect('a2a')));
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(5);
  await expect(connect('a2a')).rejects.toMatchObject({ code: 'quota_exceeded', values: { what: 'agents', limit: 5 } });
  await connect('mcp');
});

test('copies are told apart by their number, also those made at once and of a copy', async () => {
  const copy = async (name: string) => {
    let called = '';
    await change(builder, async (db) => {
      called = await nameOfCopy(db, 'workflow', name);
      const made = { kind: 'workflow', id: newId(), workspaceId: workspace.id, ownerId: builder.id, description: '' } as const;
      await createArtifact(db, { ...made, name: called, document: EMPTY_WORKFLOW });
    });
    return called;
  };
  expect(await copy('Pay out')).toBe('Pay out (2)');
  expect((await Promise.all([copy('Pay out'), copy('Pay out (2)')])).sort()).toEqual(['Pay out (3)', 'Pay out (4)']);
  expect(await copy('Pay out of hours')).toBe('Pay out of hours (2)');
  expect(await copy('x'.repeat(120))).toHaveLength(114);
});
