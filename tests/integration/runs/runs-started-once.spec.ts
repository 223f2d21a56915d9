/** One form and one idempotency key start one run, also when two requests come at the same moment. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { Principal } from '#app/contracts/principals.ts';
import type { CommandDeps } from '#app/engine/commands/command.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { startWorkflow } from '#app/engine/commands/runs/start-workflow.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
type Workflow = Awaited<ReturnType<RunFixture['makeWorkflow']>>;
let workflow: Workflow;
beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

/** `met` is waited for by each call that has found its key unused, before its change. */
const principalOf = (member: Workspace['builder'], scopes: Principal['scopes'] = null, met = async () => {}): Principal => ({
  workspace: { id: workspace.id, name: '' },
  userId: member.id,
  name: '',
  roles: member.roles,
  scopes,
  read: (work) => database.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace.id }, work),
  async change(work) {
    await met();
    return runs.asMember(workspace, member, work);
  },
});
const deps = (): CommandDeps => ({
  engine: { enqueueRun: runs.enqueueRun, admitRun: runs.admitRun, sealer: { seal: () => new Uint8Array(), open: () => '' } },
  newId,
  now: () => new Date(),
});
const eventsOf = async (runId: string) =>
  (await database.owner.query('select action from quorate.audit_events where resource_id = $1', [runId])).rows.map((row) => row.action);

/** Lets nobody on before so many have come: each of them has found that the key is new. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let here = 0;
  return () => {
    here += 1;
    if (here === count) resolve();
    return promise;
  };
}

test.each(['live', 'test'] as const)('two posts of one form at the same moment come to the same run (%s)', async (mode) => {
  const together = barrier(2);
  const requestKey = newId();
  const runnable = { id: workflow.artifactId, name: 'Test workflow', versionId: workflow.versionId, document: workflow.document };
  const post = () =>
    perform(startWorkflow, principalOf(workspace.builder, null, together), deps(), {
      workflow: mode === 'live' ? runnable : { ...runnable, versionId: null },
      mode,
      input: {},
      requestKey,
    });
  const [one, other] = await Promise.all([post(), post()]);
  expect(one.runId).toBe(other.runId);
  expect([one.again, other.again].sort()).toEqual([false, true]);
  expect(await eventsOf(one.runId)).toEqual(['run.started']);
  expect(await post()).toEqual({ runId: one.runId, again: true });
});

test('a key that was used for something else is refused, at once and afterwards', async () => {
  const together = barrier(2);
  const requestKey = newId();
  const { document } = await runs.makeWorkflow(workspace, {
    input: [{ name: 'n', title: 'N', type: 'number', required: false }],
    steps: [],
  });
  const open = { id: workflow.artifactId, name: 'Test workflow', versionId: workflow.versionId, document };
  const call = (input: { [name: string]: Json }) =>
    perform(startWorkflow, principalOf(workspace.builder, ['runs:start'], together), deps(), {
      workflow: open,
      mode: 'live',
      input,
      requestKey,
    });
  const answers = await Promise.allSettled([call({ n: 1 }), call({ n: 2 })]);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = answers.find((answer) => answer.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'conflict', values: { what: 'idempotencyKey' } });
  await expect(call({ n: 3 })).rejects.toMatchObject({ code: 'conflict', values: { what: 'idempotencyKey' } });
});

test('nobody starts what their roles or their key do not allow, and then nothing is written', async () => {
  const runnable = { id: workflow.artifactId, name: 'Test workflow', versionId: workflow.versionId, document: workflow.document };
  const start = (principal: Principal, mode: 'live' | 'test') =>
    perform(startWorkflow, principal, deps(), { workflow: runnable, mode, input: {}, requestKey: null });
  const count = async () => (await database.owner.query('select count(*)::int as n from quorate.runs')).rows[0].n;
  const before = await count();
  await expect(start(principalOf(workspace.approver), 'test')).rejects.toMatchObject({
    code: 'forbidden',
    values: { needs: 'authorWorkflow' },
  });
  await expect(start(principalOf(workspace.builder, ['runs:read']), 'live')).rejects.toMatchObject({ code: 'forbidden' });
  expect(await count()).toBe(before);
  await start(principalOf(workspace.builder, ['runs:start']), 'live');
  expect(await count()).toBe(before + 1);
});
