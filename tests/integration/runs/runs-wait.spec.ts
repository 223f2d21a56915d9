/** A step that lets the run rest: nobody holds it meanwhile, it goes on at the instant that was written, and a cancelled one never does. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls: string[] = [];
const echo: CallPeer = async ({ idempotencyKey, input }) => {
  calls.push(idempotencyKey);
  return { output: { echoed: input.text ?? null }, protocolVersion: '1' };
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker(echo);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
});

const wait = (more: object) => ({ id: 'rest', name: 'Rest', kind: 'wait', ...more });
const after = () => ({
  id: 'after',
  name: 'After',
  kind: 'tool',
  connection: slug,
  capability: 'echo',
  input: { text: '=steps.rest.until' },
});
const start = async (...steps: object[]) => runs.start(workspace, await runs.makeWorkflow(workspace, { steps }));
const rowOf = async (runId: string) => {
  const { rows } = await database.owner.query(
    `select status, input, output, error from quorate.steps where run_id = $1 and path = 'rest'`,
    [runId],
  );
  return rows[0];
};
const holderOf = async (runId: string) => {
  const { rows } = await database.owner.query('select claimed_by from quorate.runs where id = $1', [runId]);
  return rows[0].claimed_by;
};

test('rests for its time, held by no worker, and goes on', async () => {
  const before = Date.now();
  const runId = await start(wait({ mode: 'for', seconds: 2 }), after());
  await runs.until(runId, ['waiting']);
  expect(await holderOf(runId)).toBeNull();
  expect(calls).toEqual([]);
  const until = Date.parse((await rowOf(runId)).input.until);
  expect(until - before).toBeGreaterThanOrEqual(2_000);
  const { status, output } = await runs.until(runId, ['completed', 'failed']);
  expect(status).toBe('completed');
  expect(Date.now()).toBeGreaterThanOrEqual(until);
  expect(output).toEqual({ echoed: new Date(until).toISOString() });
  expect(calls).toEqual([`${runId}/after`]);
});

test('does not rest for a time that has passed, and keeps how it was written', async () => {
  const runId = await start(wait({ mode: 'until', until: '2026-03-29T02:30', zone: 'Europe/Berlin' }), after());
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  expect(await rowOf(runId)).toMatchObject({
    status: 'success',
    input: { written: '2026-03-29T02:30', zone: 'Europe/Berlin', until: '2026-03-29T01:30:00.000Z' },
    output: { until: '2026-03-29T01:30:00.000Z' },
  });
});

test.each([
  ['no date', '="soon"', 'waitNotATime'],
  ['a number', '=42', 'waitNotATime'],
  ['a date too far away', '="2200-01-01"', 'waitTooLong'],
])('%s ends the step with its reason', async (_name, until, key) => {
  const runId = await start(wait({ mode: 'until', until }));
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key } });
});

test('a cancelled run does not rest any longer, and nothing after it runs', async () => {
  const runId = await start(wait({ mode: 'for', seconds: 3_600 }), after());
  await runs.until(runId, ['waiting']);
  await runs.asMember(workspace, workspace.builder, async (db) => ({
    result: null,
    event: await cancelRun(db, { enqueueRun: runs.enqueueRun }, { workspaceId: workspace.id, runId, memberId: workspace.builder.id }),
  }));
  expect(await runs.until(runId, ['cancelled'])).toMatchObject({ status: 'cancelled' });
  expect(await rowOf(runId)).toMatchObject({ status: 'error', error: { key: 'stepAbandoned' } });
  expect(calls).toEqual([]);
});
