/** Steps with another way for an error. That any kill leads to the same end is told by the property of the interpreter. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let fails: ReadonlySet<string> = new Set();
let calls: string[] = [];
const answer: CallPeer = async ({ idempotencyKey, input }) => {
  const name = idempotencyKey.split('/').at(-1) ?? '';
  calls.push(name);
  if (fails.has(name)) throw new PeerError({ key: 'peerUnavailable', values: { connection: 'peer' }, retryable: false });
  return { output: { echoed: input.text ?? null }, protocolVersion: '1' };
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker(answer);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
  fails = new Set();
});

const call = (id: string, text = id) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text }, retries: 0 });
const attempt = (tried: object[], onError: object[]) => ({
  id: 'attempt',
  name: 'Attempt',
  kind: 'try',
  branches: [
    { label: 'steps', steps: tried },
    { label: 'on_error', steps: onError },
  ],
});
const run = async (...steps: object[]) => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps }));
  const ended = await runs.until(runId, ['completed', 'failed']);
  const { rows } = await database.owner.query('select path, status, reason, input from quorate.steps where run_id = $1 order by path', [
    runId,
  ]);
  return { ...ended, rows: Object.fromEntries(rows.map((row) => [row.path, row.status])), kept: rows };
};

test('where nothing fails, the steps for errors are left out', async () => {
  const { status, output, rows } = await run(attempt([call('a'), call('b')], [call('c')]));
  expect({ status, output }).toEqual({ status: 'completed', output: { failed: false, output: { echoed: 'b' }, error: null } });
  expect(calls).toEqual(['a', 'b']);
  expect(rows).toEqual({ attempt: 'success', 'attempt/steps/a': 'success', 'attempt/steps/b': 'success', 'attempt/on_error/c': 'skipped' });
});

test('where one fails, the rest is left out, the steps for errors read the error, and the run goes on', async () => {
  fails = new Set(['b']);
  const { status, output, rows } = await run(
    attempt([call('a'), call('b'), call('c')], [call('mend', '=error.key & " at " & error.step')]),
    call('after', '=steps.attempt.output.echoed & ", " & steps.a.echoed'),
  );
  expect(status).toBe('completed');
  expect(output).toEqual({ echoed: 'peerUnavailable at attempt/steps/b, a' });
  expect(calls).toEqual(['a', 'b', 'mend', 'after']);
  expect(rows).toMatchObject({
    'attempt/steps/b': 'error',
    'attempt/steps/c': 'skipped',
    'attempt/on_error/mend': 'success',
    attempt: 'success',
  });
});

test('a failure deep inside closes what held it; one among the steps for errors fails the run', async () => {
  fails = new Set(['deep', 'mend']);
  const choice = {
    id: 'choice',
    name: 'Choice',
    kind: 'branch',
    mode: 'choose',
    branches: [{ label: 'only', when: '', steps: [call('deep')] }],
  };
  const { status, error, rows } = await run(attempt([choice], [call('mend')]), call('after'));
  expect({ status, error }).toMatchObject({ status: 'failed', error: { key: 'peerUnavailable', step: 'attempt/on_error/mend' } });
  expect(rows).toMatchObject({ 'attempt/steps/choice': 'error', 'attempt/steps/choice/only/deep': 'error' });
  expect(calls).toEqual(['deep', 'mend']);
});

test('within a loop each item takes its own way', async () => {
  const loop = (steps: object[]) => ({
    id: 'lines',
    name: 'Lines',
    kind: 'for_each',
    items: '=["x", "y"]',
    branches: [{ label: 'each', steps }],
  });
  fails = new Set(['a']);
  const { status, output } = await run(loop([attempt([call('a', '=item')], [call('mend', '=item')])]));
  expect(status).toBe('completed');
  expect(output).toMatchObject({
    ok: 2,
    results: [
      { failed: true, output: { echoed: 'x' } },
      { failed: true, output: { echoed: 'y' } },
    ],
  });
});

test('a loop that was tried and has ended keeps its items, and none of its steps is called skipped', async () => {
  fails = new Set(['b']);
  const lines = { id: 'lines', name: 'Lines', kind: 'for_each', items: '=["x", "y"]', branches: [{ label: 'each', steps: [call('a')] }] };
  const { status, rows } = await run(attempt([lines, call('b')], [call('mend')]));
  expect(status).toBe('completed');
  expect(rows).toMatchObject({ 'attempt/steps/lines': 'success', 'attempt/steps/lines/1/a': 'success' });
  expect(Object.keys(rows).filter((path) => path.includes('/each/'))).toEqual([]);
});
