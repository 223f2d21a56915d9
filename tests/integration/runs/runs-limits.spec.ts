import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;

beforeEach(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
});
afterEach(async () => {
  await runs?.close();
  await database?.close();
});

/** Calls that hang until they are let go, and how many of them hang at once. */
function hangingPeer() {
  const held = new Set<() => void>();
  let most = 0;
  const called: string[] = [];
  const call: CallPeer = async ({ idempotencyKey, signal }) => {
    called.push(idempotencyKey.slice(0, 36));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.add(resolve);
    signal.addEventListener('abort', reject, { once: true });
    most = Math.max(most, held.size);
    await promise.finally(() => held.delete(resolve));
    return { output: null, protocolVersion: '1' };
  };
  return {
    call,
    called,
    most: () => most,
    hanging: () => held.size,
    async until(count: number) {
      await vi.waitFor(() => expect(held.size).toBe(count), { timeout: 20_000 });
    },
    letGo(count = 1) {
      for (const release of [...held].slice(0, count)) {
        held.delete(release);
        release();
      }
    },
  };
}

async function workflowIn(at: Workspace, runsAtOnce: number | null = null) {
  const { slug } = await runs.makeCapability(at, { name: 'echo' });
  const step = { id: 'say', name: 'Say', kind: 'tool', connection: slug, capability: 'echo', input: {}, timeoutSeconds: 300 };
  const workflow = await runs.makeWorkflow(at, { steps: [step] });
  await limitWorkflow(at, workflow.artifactId, runsAtOnce);
  return workflow;
}

const limitWorkflow = (at: Workspace, artifactId: string, limit: number | null) =>
  database.arrange(at.id, async (client) => {
    await client.query('update quorate.artifacts set runs_at_once = $2 where id = $1', [artifactId, limit]);
  });

const limitWorkspace = (at: Workspace, limit: number | null) =>
  database.arrange(at.id, async (client) => {
    const settings = JSON.stringify({ limits: { runsAtOnce: limit } });
    await client.query('update quorate.workspaces set settings = $2 where id = $1', [at.id, settings]);
  });

async function startMany(at: Workspace, workflow: Awaited<ReturnType<typeof workflowIn>>, count: number): Promise<string[]> {
  const started: string[] = [];
  for (let run = 0; run < count; run += 1) started.push(await runs.start(at, workflow));
  return started;
}

const placeOf = async (runId: string) => (await runs.run(runId)).place;

test('two workers together drive no more runs of a workspace than its limit, and every run ends', async () => {
  await limitWorkspace(workspace, 2);
  const workflow = await workflowIn(workspace);
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  await runs.startWorker(peer.call);
  const started = await startMany(workspace, workflow, 8);
  await peer.until(2);
  await vi.waitFor(async () => {
    const places = await Promise.all(started.map(placeOf));
    expect(places.filter((place) => place === 'workspace')).toHaveLength(6);
  }, 20_000);
  for (let left = started.length; left > 0; left -= 1) {
    await peer.until(Math.min(2, left));
    peer.letGo();
  }
  for (const run of started) await runs.until(run, ['completed']);
  expect(peer.most()).toBe(2);
  expect(peer.called.toSorted()).toEqual(started);
});

test('a workflow at its limit leaves the places of its workspace to the others', async () => {
  const [slow, quick] = [await workflowIn(workspace, 1), await workflowIn(workspace)];
  await limitWorkspace(workspace, 3);
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  const waiting = [await runs.start(workspace, slow)];
  await peer.until(1);
  waiting.push(...(await startMany(workspace, slow, 2)));
  await vi.waitFor(async () => expect(await Promise.all(waiting.slice(1).map(placeOf))).toEqual(['workflow', 'workflow']), 20_000);
  const others = await startMany(workspace, quick, 2);
  await peer.until(3);
  others.push(await runs.start(workspace, quick));
  await vi.waitFor(async () => expect(await placeOf(others[2] ?? '')).toBe('workspace'), 20_000);
  for (let left = 6; left > 0; left -= 1) {
    await vi.waitFor(() => expect(peer.hanging()).toBeGreaterThan(0), 20_000);
    peer.letGo();
  }
  for (const run of [...waiting, ...others]) await runs.until(run, ['completed']);
});

test('a workspace at its limit leaves the others alone, and the ceiling of the instance holds where a workspace sets none', async () => {
  const other = await runs.makeWorkspace();
  const [own, theirs] = [await workflowIn(workspace), await workflowIn(other)];
  const peer = hangingPeer();
  await runs.startWorker(peer.call, { runsAtOnceCeiling: 1 });
  const first = await runs.start(workspace, own);
  await peer.until(1);
  const second = await runs.start(workspace, own);
  const third = await runs.start(other, theirs);
  await peer.until(2);
  expect(peer.called).toEqual([first, third]);
  peer.letGo(2);
  await peer.until(1);
  peer.letGo();
  await runs.until(second, ['completed']);
});

test('what a killed worker drove keeps its places, and is driven on before anything new starts', async () => {
  await limitWorkspace(workspace, 2);
  const workflow = await workflowIn(workspace);
  // as after a kill: two runs are claimed by a worker that has neither lock nor lease
  const started = await startMany(workspace, workflow, 4);
  const dead = '00000000-0000-7000-8000-000000000001';
  for (const run of started.slice(0, 2)) {
    await database.database.workerPool.query('select quorate.claim_run_within_limits($1, $2, $3, null)', [workspace.id, run, dead]);
  }
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  await peer.until(2);
  expect(peer.called.toSorted()).toEqual(started.slice(0, 2).toSorted());
  peer.letGo(2);
  await peer.until(2);
  peer.letGo(2);
  for (const run of started) await runs.until(run, ['completed']);
  expect(peer.most()).toBe(2);
});

test('a place that nobody was told of is found, and a raised limit is used without another start', async () => {
  await limitWorkspace(workspace, 1);
  const workflow = await workflowIn(workspace);
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  const started = [await runs.start(workspace, workflow)];
  await peer.until(1);
  started.push(...(await startMany(workspace, workflow, 2)));
  await vi.waitFor(async () => expect(await placeOf(started[2] ?? '')).toBe('workspace'), 20_000);
  await limitWorkspace(workspace, null);
  await peer.until(3);
  peer.letGo(3);
  for (const run of started) await runs.until(run, ['completed']);
});

test('a run that waits for a place is cancelled at once, and the next one gets its turn', async () => {
  await limitWorkspace(workspace, 1);
  const workflow = await workflowIn(workspace);
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  const first = await runs.start(workspace, workflow);
  await peer.until(1);
  const [second, third] = await startMany(workspace, workflow, 2);
  await vi.waitFor(async () => expect(await placeOf(second ?? '')).toBe('workspace'), 20_000);
  await runs.asMember(workspace, workspace.builder, async (db) => {
    await db
      .updateTable('quorate.runs')
      .set({ cancel_requested_at: new Date() })
      .where('id', '=', second ?? '')
      .execute();
    await runs.enqueueRun(db, { id: second ?? '', workspaceId: workspace.id });
    return { result: null, event: { action: 'run.cancelled', resource: { kind: 'run', id: second ?? '' } } };
  });
  await runs.until(second ?? '', ['cancelled']);
  peer.letGo();
  await peer.until(1);
  peer.letGo();
  for (const run of [first, third]) await runs.until(run ?? '', ['completed']);
  expect(peer.most()).toBe(1);
  expect(peer.called).toEqual([first, third]);
});

test('whatever order runs are claimed, parked and closed in, no limit is exceeded and no free place is kept from a run that waits', async () => {
  const worker = '00000000-0000-7000-8000-000000000002';
  const act = fc.record({ run: fc.nat(7), what: fc.constantFrom('claim' as const, 'claim' as const, 'park' as const) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 3 }),
      fc.array(act, { maxLength: 30 }),
      async (ofWorkspace, ofWorkflow, acts) => {
        const at = await runs.makeWorkspace();
        await limitWorkspace(at, ofWorkspace);
        const workflows = [await workflowIn(at, ofWorkflow), await workflowIn(at)];
        const started: string[] = [];
        for (let run = 0; run < 8; run += 1) started.push(await runs.start(at, workflows[run % 2] ?? expect.fail()));
        for (const { run, what } of acts) {
          const { rows } = await database.owner.query('select status, attempt from quorate.runs where id = $1', [started[run]]);
          if (what === 'claim' && rows[0].status !== 'processing')
            await database.database.workerPool.query('select a from quorate.claim_run_within_limits($1, $2, $3, null)', [
              at.id,
              started[run],
              worker,
            ]);
          if (what === 'park' && rows[0].status === 'processing') {
            await database.database.workerPool.query('select quorate.park_run($1, $2, $3, null)', [at.id, started[run], rows[0].attempt]);
            await database.database.workerPool.query('select quorate.free_place($1, null)', [at.id]);
          }
          const seen = await database.owner.query(
            `select r.place, r.artifact_id, r.status = 'processing' or coalesce(r.place = 'granted', false) as holds from quorate.runs r where r.workspace_id = $1`,
            [at.id],
          );
          const holding = seen.rows.filter((row) => row.holds);
          const ofLimited = holding.filter((row) => row.artifact_id === workflows[0]?.artifactId).length;
          expect(holding.length).toBeLessThanOrEqual(ofWorkspace);
          expect(ofLimited).toBeLessThanOrEqual(ofWorkflow);
          for (const row of seen.rows.filter(({ place }) => place === 'workspace' || place === 'workflow'))
            expect(holding.length === ofWorkspace || (row.artifact_id === workflows[0]?.artifactId && ofLimited === ofWorkflow)).toBe(true);
        }
      },
    ),
    { numRuns: 15 },
  );
});
