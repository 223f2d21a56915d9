/** The data of the newest run, which the editor shows where expressions are written, and evaluates them on. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateElsewhere } from '#app/engine/runs/expressions/evaluate.ts';
import { loadDraft } from '#app/engine/workflows/drafts.ts';
import { loadKnownData, readSampleScope } from '#app/features/workflows/editor/load-known-data.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let plain: TestMember | undefined;
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
  await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
  const inner = { id: 'twice', name: 'Twice', kind: 'transform', expression: '=item * 2' };
  workflow = await runs.makeWorkflow(workspace, {
    input: [{ name: 'n', title: 'N', type: 'number', required: true }],
    steps: [
      { id: 'large', name: 'Large', kind: 'transform', expression: '=$join([1..9000].("word"))' },
      { id: 'each', name: 'Each', kind: 'for_each', items: '=[input.n, 8]', branches: [{ label: 'each', steps: [inner] }] },
    ],
  });
  // The draft is what the editor has open.
  await database.arrange(workspace.id, async (client) => {
    await client.query('insert into quorate.drafts (workspace_id, artifact_id, revision, document, author_id) values ($1, $2, 1, $3, $4)', [
      workspace.id,
      workflow.artifactId,
      JSON.stringify(workflow.document),
      workspace.builder.id,
    ]);
    await client.query('update quorate.artifacts set draft_revision = 1 where id = $1', [workflow.artifactId]);
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

const as = <T>(member: TestMember, work: Parameters<TestDatabase['database']['asMember']>[1]) =>
  database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work) as Promise<T>;
const scopeAt = (member: TestMember, path: string) =>
  as<Awaited<ReturnType<typeof readSampleScope>>>(member, async (db) =>
    readSampleScope(db, await loadDraft(db, workflow.artifactId), path),
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
  const seen = await as<unknown>(plain, (db) => readSampleScope(db, draft, 'each'));
  expect(seen).toBeNull();
});

test('an expression that would not end is ended, in a process of its own', async () => {
  const scope = await scopeAt(workspace.builder, 'each');
  if (scope === null) throw new Error('no run');
  await expect(evaluateElsewhere('($f := function($n) { $f($n + 1) }; $f(1))', scope)).rejects.toMatchObject({ explanation: {} });
  await expect(evaluateElsewhere('[1', scope)).rejects.toMatchObject({ explanation: { key: 'expressionUnreadable' } });
});
