/** A program's run is claimed for the worker beside the web server as it starts: no job says so, and none is needed. */
import { createHash, randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ClaimAnswer } from '#app/domain/runs/claim.ts';
import { openKeyAccess } from '#app/runtime.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>;
let keyHash: Buffer;
beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  keyHash = createHash('sha256').update(randomBytes(16)).digest();
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes) values ($1, $2, $3, 'Program', 'qk', $4, '{runs:start}')`,
      [newId(), workspace.id, workspace.builder.id, keyHash],
    );
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

/** Starts a run for this worker, and answers it with what the worker would be told of it. */
async function startFor(workerId: string, ceiling: number | null = null) {
  let told: ClaimAnswer | null = null;
  const near = {
    claimant: () => ({ id: workerId, ceiling }),
    drive: (_run: unknown, claimed: ClaimAnswer) => {
      told = claimed;
    },
  };
  const access = await openKeyAccess(database.database, keyHash, { paceCeiling: 600, serves: true }, undefined, near);
  const { artifactId, versionId } = workflow;
  const start = {
    artifactId,
    versionId,
    triggerKind: 'mcp',
    input: { z: 1, a: 2 },
    subject: null,
    requestKey: null,
    name: 'Test workflow',
  };
  const started = await access.startPlainly({ ...start, room: 200, place: 1, belowQuota: null });
  if (started === null) throw new Error('something was in its way');
  return { run: { runId: started.runId, workspaceId: workspace.id }, claimed: told as ClaimAnswer | null };
}
const jobsOf = async (runId: string) =>
  (await database.owner.query(`select from pgboss.job where data ->> 'runId' = $1`, [runId])).rowCount;
const actionsOf = async (runId: string) =>
  (await database.owner.query('select action from quorate.audit_events where resource_id = $1 order by at, id', [runId])).rows.map(
    ({ action }) => action,
  );

test('the worker drives it at once, from what the start has claimed', async () => {
  const worker = await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
  const { run, claimed } = await startFor(worker.workerId);
  expect(claimed).toMatchObject({
    claim: { state: 'claimed', attempt: 1, input: { z: 1, a: 2 }, steps: [], approvals: [] },
    limited: false,
  });
  expect(await runs.run(run.runId)).toMatchObject({ status: 'processing', claimed_by: worker.workerId });
  if (claimed !== null) worker.execute(run, claimed);
  expect(await runs.until(run.runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 1 });
  expect(await jobsOf(run.runId)).toBe(0);
  expect(await actionsOf(run.runId)).toEqual(['run.started', 'run.completed']);
  await worker.stop();
});

test('one that the worker never heard of is found by it', async () => {
  const worker = await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
  const { run } = await startFor(worker.workerId);
  expect(await runs.until(run.runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 2 });
  await worker.stop();
});

test('one whose worker is gone is taken over, like all that it held', async () => {
  const { run } = await startFor(newId());
  const worker = await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }));
  expect(await runs.until(run.runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 2 });
  await worker.stop();
});

test('one over the limit waits in line, and has its turn', async () => {
  const worker = await runs.startWorker(async () => ({ output: null, protocolVersion: '1' }), { runsAtOnceCeiling: 1 });
  const first = await startFor(newId(), 1);
  const second = await startFor(worker.workerId, 1);
  expect(second.claimed?.claim).toEqual({ state: 'full' });
  expect(await runs.run(second.run.runId)).toMatchObject({ status: 'pending', place: 'workspace' });
  if (second.claimed !== null) worker.execute(second.run, second.claimed);
  for (const { run } of [first, second])
    expect(await runs.until(run.runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  await worker.stop();
});

test('a worker takes runs so while nothing is in line and it has room, and no longer when it ends', async () => {
  const takes = vi.fn();
  const held = Promise.withResolvers<void>();
  const { slug } = await runs.makeCapability(workspace, { name: 'hold' });
  const waiting = await runs.makeWorkflow(workspace, {
    steps: [{ id: 'a', name: 'A', kind: 'tool', connection: slug, capability: 'hold', input: {} }],
  });
  const worker = await runs.startWorker(
    async () => {
      await held.promise;
      return { output: null, protocolVersion: '1' };
    },
    { maxInFlight: 3, takes },
  );
  await expect.poll(() => takes.mock.lastCall).toEqual([worker.workerId]);
  const ids = [await runs.start(workspace, waiting), await runs.start(workspace, waiting)];
  // one of three places is kept for workspaces that have none
  await expect.poll(() => takes.mock.lastCall).toEqual([null]);
  held.resolve();
  for (const runId of ids) await runs.until(runId, ['completed']);
  await expect.poll(() => takes.mock.lastCall).toEqual([worker.workerId]);
  await worker.stop();
  expect(takes.mock.lastCall).toEqual([null]);
});
