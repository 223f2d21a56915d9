import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '#app/domain/errors.ts';
import { createAdmitRun } from '#app/engine/runs/admit-run.ts';
import { startRun } from '#app/engine/runs/start-run.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let workflow: Awaited<ReturnType<RunFixture['makeWorkflow']>>;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(async () => {
  workspace = await runs.makeWorkspace();
  workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
});

const bound = (queuedRuns: number) =>
  database.arrange(workspace.id, async (client) => {
    await client.query('update quorate.workspaces set settings = $2 where id = $1', [
      workspace.id,
      JSON.stringify({ limits: { queuedRuns } }),
    ]);
  });

/** Starts a run; the refusal's code and wait where it was refused. */
async function start(queuedInAll = 0) {
  const ceilings = { runsAtOnce: null, queuedRuns: 20_000, queuedInAll: 100_000 };
  const admitRun = createAdmitRun(ceilings, async () => queuedInAll);
  try {
    return await runs.asMember(workspace, workspace.builder, async (db) => {
      const { runId, event } = await startRun(
        db,
        { enqueueRun: runs.enqueueRun, admitRun, newId },
        {
          workspaceId: workspace.id,
          ...workflow,
          mode: 'live',
          input: {},
          initiatorId: workspace.builder.id,
          requestKey: null,
          name: 'Test workflow',
        },
      );
      return { result: { runId }, event };
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refused: error.code, status: error.status, ...error.values };
  }
}

const countRuns = async () =>
  (await database.owner.query('select count(*)::int as n from quorate.runs where workspace_id = $1', [workspace.id])).rows[0].n;

test('a start beyond the bound of the queue is refused whole, and taken again when there is room', async () => {
  await bound(3);
  const started = [await start(), await start(), await start()];
  expect(started).toEqual(Array(3).fill({ runId: expect.any(String) }));
  expect(await start()).toMatchObject({ refused: 'over_limit', status: 429, what: 'queue', seconds: 300 });
  expect(await countRuns()).toBe(3);
  await database.arrange(workspace.id, async (client) => {
    await client.query(
      `update quorate.runs set status = 'completed', started_at = clock_timestamp(), finished_at = clock_timestamp()
        where id = (select id from quorate.runs where workspace_id = $1 limit 1)`,
      [workspace.id],
    );
  });
  expect(await start()).toEqual({ runId: expect.any(String) });
});

test('the wait that is told is that of the pace at which runs have left the queue', async () => {
  await bound(10);
  for (let run = 0; run < 15; run += 1) {
    await start();
    if (run >= 5) continue;
    // five have started within the last hundred seconds: one in twenty
    await database.arrange(workspace.id, async (client) => {
      await client.query(
        `update quorate.runs set status = 'completed', started_at = clock_timestamp() - $2 * interval '1 second'
          where workspace_id = $1 and status = 'pending'`,
        [workspace.id, 100 - run * 20],
      );
    });
  }
  const refused = await start();
  expect(refused).toMatchObject({ refused: 'over_limit' });
  const seconds = 'seconds' in refused ? Number(refused.seconds) : 0;
  expect(seconds).toBeGreaterThanOrEqual(20);
  expect(seconds).toBeLessThan(40);
});

test('a full instance refuses with 503, and a workspace’s own bound is no other’s', async () => {
  await bound(1);
  await start();
  expect(await start()).toMatchObject({ status: 429 });
  const full = workspace;
  workspace = await runs.makeWorkspace();
  workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'a', name: 'A', kind: 'transform', expression: '1' }] });
  expect(await start()).toEqual({ runId: expect.any(String) });
  expect(await start(100_000)).toMatchObject({ refused: 'unavailable', status: 503, what: 'queue' });
  expect(workspace.id).not.toBe(full.id);
});

test('a queue far from its bound is not counted again at each start, and the bound still holds', async () => {
  const wait = (count: number) =>
    database.arrange(workspace.id, async (client) => {
      await client.query(
        `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id)
          select gen_random_uuid(), $1, $2, $3, 'live', $4 from generate_series(1, $5)`,
        [workspace.id, workflow.artifactId, workflow.versionId, workspace.builder.id, count],
      );
    });
  const time = { now: 0 };
  const ceilings = { runsAtOnce: null, queuedRuns: 1_000, queuedInAll: 100_000 };
  const admitRun = createAdmitRun(
    ceilings,
    async () => 0,
    () => time.now,
  );
  const admit = () =>
    database.database.asMember({ userId: workspace.builder.id, sessionId: workspace.builder.sessionId, workspaceId: workspace.id }, (db) =>
      admitRun(db, workspace.id, {}),
    );
  await wait(700);
  await admit();
  await wait(300);
  await admit();
  time.now = 300;
  await expect(admit()).rejects.toMatchObject({ code: 'over_limit' });
});
