/** Steps that run round by round until a condition holds. What becomes of kills is in runs-killed and the interpreter's property. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls: string[] = [];
let failsAt = Number.POSITIVE_INFINITY;
/** A peer whose work is ready at the third question. */
const peer: CallPeer = async ({ idempotencyKey }) => {
  calls.push(idempotencyKey.split('/').slice(1).join('/'));
  if (calls.length >= failsAt)
    throw new PeerError({ key: 'peerInputRefused', values: { capability: 'x', message: 'no' }, retryable: false });
  return { output: { status: calls.length === 3 ? 'ready' : 'pending', calls: calls.length }, protocolVersion: '1' };
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'ask' })).slug;
  await runs.startWorker(peer);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
  failsAt = Number.POSITIVE_INFINITY;
});

const ask = () => ({ id: 'ask', name: 'Ask', kind: 'tool', connection: slug, capability: 'ask', input: { text: '=$string(index)' } });
const repeat = (more: object, steps: object[] = [ask()]) => ({
  id: 'again',
  name: 'Again',
  kind: 'repeat',
  until: '=steps.ask.status = "ready"',
  branches: [{ label: 'round', steps }],
  ...more,
});
const run = async (step: object, output = '') => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [step], output }));
  return { runId, ...(await runs.until(runId, ['completed', 'failed'])) };
};

test('goes round until the condition holds, each round under its own path', async () => {
  const { runId, status, output } = await run(repeat({}));
  expect(status).toBe('completed');
  expect(output).toMatchObject({ rounds: 3, done: true, result: { status: 'ready', calls: 3 } });
  expect(calls).toEqual(['again/0/ask', 'again/1/ask', 'again/2/ask']);
  const { rows } = await database.owner.query(
    'select path, status, item_index from quorate.steps where run_id = $1 and item_index is not null order by item_index',
    [runId],
  );
  expect(rows).toEqual([0, 1, 2].map((n) => ({ path: `again/${n}`, status: 'success', item_index: n })));
});

test('what the round before came to is at hand', async () => {
  const add = { id: 'add', name: 'Add', kind: 'transform', expression: '=(last ? last : 1) * 2' };
  const { output } = await run(repeat({ until: '=steps.add >= 100' }, [add]));
  expect(output).toMatchObject({ rounds: 7, done: true, result: 128 });
});

test.each([
  ['fail', 'failed', { key: 'repeatLimit', values: { limit: 2 } }, null],
  ['continue', 'completed', null, { rounds: 2, done: false, result: { status: 'pending', calls: 2 } }],
])('ends after its last round: %s', async (atLimit, status, error, output) => {
  const ended = await run(repeat({ rounds: 2, atLimit }));
  expect(ended.status).toBe(status);
  expect(calls).toHaveLength(2);
  if (error !== null) expect(ended.error).toMatchObject(error);
  if (output !== null) expect(ended.output).toMatchObject(output);
});

test('a condition that is neither true nor false ends it, and so does a round that fails', async () => {
  expect(await run(repeat({ until: '=steps.ask.calls' }))).toMatchObject({ status: 'failed', error: { key: 'repeatNotBoolean' } });
  expect(calls).toHaveLength(1);
  failsAt = 3;
  expect(await run(repeat({}))).toMatchObject({ status: 'failed', error: { key: 'peerInputRefused' } });
  expect(calls).toHaveLength(3);
});

test('rests between two rounds, held by no worker', async () => {
  const began = Date.now();
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [repeat({ pauseSeconds: 1 })] }));
  expect(await runs.until(runId, ['waiting'])).toMatchObject({ claimed_by: null });
  expect(calls).toHaveLength(1);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { rounds: 3 } });
  expect(Date.now() - began).toBeGreaterThanOrEqual(2_000);
});
