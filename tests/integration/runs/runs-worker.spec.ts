import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
const echo: CallPeer = async ({ input }) => ({ output: { echoed: input.text ?? null }, protocolVersion: '1' });

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
const tool = (id: string) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text: id } });

test('a worker that is told to stop leaves its runs to the next one, without a kill', async () => {
  const called = Promise.withResolvers<void>();
  const first = await runs.startWorker(() => {
    called.resolve();
    return new Promise(() => undefined);
  });
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  await called.promise;
  await first.stop();
  expect((await runs.run(runId)).status).toBe('processing');
  await runs.startWorker(echo);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 2 });
});

test('several workers share the runs, and each is driven by one', async () => {
  await runs.startWorker(echo);
  await runs.startWorker(echo);
  const workflow = await runs.makeWorkflow(workspace, { steps: [tool('a'), tool('b')] });
  const ids: string[] = [];
  // As many at once as the pool has connections: more would stand in its line, which has a time limit.
  for (let batch = 0; batch < 5; batch += 1)
    ids.push(...(await Promise.all(Array.from({ length: 8 }, () => runs.start(workspace, workflow)))));
  for (const runId of ids) expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 1 });
});

test('jobs that come twice, late or for what is over change nothing', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  const ref = { runId, workspaceId: workspace.id };
  await runs.queue.send([ref, ref, ref]);
  await runs.until(runId, ['completed']);
  await runs.queue.send([ref, { runId, workspaceId: runId }]);
  const next = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  await runs.until(next, ['completed']);
  const { rows } = await database.owner.query('select action from quorate.audit_events where resource_id = $1', [runId]);
  expect(rows.map((row) => row.action).sort()).toEqual(['run.completed', 'run.started']);
});

test('a run whose job was lost between fetch and claim is found within seconds', async () => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  await runs.until(runId, ['completed']);
  const lost = await runs.makeWorkspace();
  const workflow = await runs.makeWorkflow(lost, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  const stalled = '019a0000-0000-7000-8000-00000000dead';
  // as a worker leaves it that was killed right after its fetch: the row stands, no job does
  await database.arrange(lost.id, async (client) => {
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id) values ($1, $2, $3, $4, 'live', $5)`,
      [stalled, lost.id, workflow.artifactId, workflow.versionId, lost.builder.id],
    );
  });
  expect(await runs.until(stalled, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
});
