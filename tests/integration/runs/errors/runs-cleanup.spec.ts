/** Steps for a run that fails or is cancelled. What becomes of kills is in runs-killed and the interpreter's property. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { haltWorkspace } from '#app/engine/runs/halt-workspace.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let fails: ReadonlySet<string> = new Set();
let calls: string[] = [];
let called: (() => void) | null = null;
/** Answers at once, and 'slow' only when it is let go of. */
const peer: CallPeer = ({ idempotencyKey, input, signal }) => {
  const name = idempotencyKey.split('/').at(-1) ?? '';
  calls.push(name);
  if (fails.has(name)) return Promise.reject(new PeerError({ key: 'peerUnavailable', values: { connection: 'peer' }, retryable: false }));
  if (name !== 'slow') return Promise.resolve({ output: { echoed: input.text ?? null }, protocolVersion: '1' });
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new PeerError({ key: 'peerCancelled', values: {}, retryable: true })));
    called?.();
  });
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker(peer);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
  fails = new Set();
  called = null;
});

const call = (id: string, text = id) => ({ id, name: id, kind: 'tool', connection: slug, capability: 'echo', input: { text }, retries: 0 });
const pause = (id: string, seconds = 3_600) => ({ id, name: id, kind: 'wait', mode: 'for', seconds });
const cleanup = (onFailure: object[], onCancel: object[] = []) => ({
  id: 'end',
  name: 'End',
  kind: 'cleanup',
  branches: [
    { label: 'on_failure', steps: onFailure },
    { label: 'on_cancel', steps: onCancel },
  ],
});
const make = (...steps: object[]) => runs.makeWorkflow(workspace, { steps });
const start = async (...steps: object[]) => runs.start(workspace, await make(...steps));
const ended = (runId: string) => runs.until(runId, ['completed', 'failed', 'cancelled']);
const cancel = (runId: string, where = workspace) =>
  runs.asMember(where, where.builder, async (db) => {
    const ask = { workspaceId: where.id, runId, memberId: where.builder.id };
    return { result: null, event: await cancelRun(db, { enqueueRun: runs.enqueueRun }, ask) };
  });
const actions = async (runId: string) => {
  const { rows } = await database.owner.query('select action from quorate.audit_events where resource_id = $1 order by at, id', [runId]);
  return rows.map(({ action }) => action);
};
const statuses = async (runId: string) => Object.fromEntries((await runs.steps(runId)).map(({ path, status }) => [path, status]));
const waits = (runId: string, path: string) =>
  expect.poll(async () => [(await runs.run(runId)).status, Object.hasOwn(await statuses(runId), path)]).toEqual(['waiting', true]);

test('a run that completes leaves them out, and has the output of its own last step', async () => {
  const runId = await start(call('a'), cleanup([call('f')], [call('c')]));
  expect(await ended(runId)).toMatchObject({ status: 'completed', output: { echoed: 'a' } });
  expect(await statuses(runId)).toEqual({ a: 'success', end: 'skipped' });
  expect(calls).toEqual(['a']);
});

test('after a failure they read the error and earlier outputs, and the run fails as it would have', async () => {
  fails = new Set(['b']);
  const text = '=steps.a.echoed & " " & error.key & " at " & error.step & " " & $string(steps.b = null)';
  const runId = await start(call('a'), call('b'), call('later'), cleanup([call('undo', text), call('mail')], [call('c')]));
  expect(await ended(runId)).toMatchObject({ status: 'failed', output: null, error: { key: 'peerUnavailable', step: 'b' } });
  expect(calls).toEqual(['a', 'b', 'undo', 'mail']);
  expect(await statuses(runId)).toEqual({
    a: 'success',
    b: 'error',
    end: 'success',
    'end/on_failure/undo': 'success',
    'end/on_failure/mail': 'success',
  });
  const undo = (await runs.steps(runId)).find(({ path }) => path === 'end/on_failure/undo');
  expect(undo?.output).toEqual({ echoed: 'a peerUnavailable at b true' });
  expect(await actions(runId)).toEqual(['run.started', 'run.cleanupStarted', 'run.failed']);
});

test('an output that cannot be computed is a failure, too', async () => {
  const workflow = await runs.makeWorkflow(workspace, { steps: [call('a'), cleanup([call('undo')])], output: '=$sum("x")' });
  const runId = await runs.start(workspace, workflow);
  expect(await ended(runId)).toMatchObject({ status: 'failed', error: { step: '' } });
  expect(calls).toEqual(['a', 'undo']);
});

test('a call under way is let go of, then the steps for a cancellation run, and the run is cancelled', async () => {
  const reached = Promise.withResolvers<void>();
  called = () => reached.resolve();
  const runId = await start(call('a'), call('slow'), cleanup([call('f')], [call('undo', '=steps.a.echoed')]));
  await reached.promise;
  await cancel(runId);
  expect(await ended(runId)).toMatchObject({ status: 'cancelled', error: null });
  expect(calls).toEqual(['a', 'slow', 'undo']);
  expect(await statuses(runId)).toMatchObject({ slow: 'error', end: 'success', 'end/on_cancel/undo': 'success' });
  expect(await actions(runId)).toEqual(['run.started', 'run.cancelRequested', 'run.cleanupStarted', 'run.cancelled']);
});

test('a second cancellation ends the cleanup, one of a failed run as well', async () => {
  const cancelled = await start(pause('rest'), cleanup([], [pause('long'), call('undo')]));
  await waits(cancelled, 'rest');
  await cancel(cancelled);
  await waits(cancelled, 'end/on_cancel/long');
  await cancel(cancelled);
  expect(await ended(cancelled)).toMatchObject({ status: 'cancelled' });
  fails = new Set(['a']);
  const failed = await start(call('a'), cleanup([pause('long'), call('undo')]));
  await waits(failed, 'end/on_failure/long');
  await cancel(failed);
  expect(await ended(failed)).toMatchObject({ status: 'cancelled' });
  expect(calls).toEqual(['a']);
});

test('one that waits goes on later, and its own failure is told at its step alone', async () => {
  fails = new Set(['a', 'undo']);
  const runId = await start(call('a'), cleanup([pause('short', 4), call('undo'), call('never')]));
  await waits(runId, 'end/on_failure/short');
  expect(await ended(runId)).toMatchObject({ status: 'failed', error: { key: 'peerUnavailable', step: 'a' } });
  expect(calls).toEqual(['a', 'undo']);
  expect(await statuses(runId)).toMatchObject({ end: 'error', 'end/on_failure/undo': 'error' });
});

test('an approval that is asked for is withdrawn before they begin, and one among them is asked', async () => {
  const ask = (id: string) => ({ id, name: id, kind: 'approval', question: 'May it?' });
  const runId = await start(ask('first'), cleanup([], [ask('second'), call('undo')]));
  await waits(runId, 'first');
  await cancel(runId);
  const asked = async () => {
    const { rows } = await database.owner.query('select step_path, status from quorate.approvals where run_id = $1 order by created_at', [
      runId,
    ]);
    return rows.map(({ step_path, status }) => [step_path, status]);
  };
  await expect.poll(asked).toEqual([
    ['first', 'withdrawn'],
    ['end/on_cancel/second', 'pending'],
  ]);
  await runs.approve(workspace, runId);
  expect(await ended(runId)).toMatchObject({ status: 'cancelled' });
  expect(calls).toEqual(['undo']);
});

test('where nothing has begun, a cancelled run ends at once', async () => {
  const reached = Promise.withResolvers<void>();
  called = () => reached.resolve();
  const workflow = await make(call('slow'), cleanup([], [call('undo')]));
  await database.arrange(workspace.id, async (client) => {
    await client.query('update quorate.artifacts set runs_at_once = 1 where id = $1', [workflow.artifactId]);
  });
  const first = await runs.start(workspace, workflow);
  await reached.promise;
  const second = await runs.start(workspace, workflow);
  await cancel(second);
  expect(await ended(second)).toMatchObject({ status: 'cancelled' });
  expect(calls).toEqual(['slow']);
  await cancel(first);
  expect(await ended(first)).toMatchObject({ status: 'cancelled' });
  expect(calls).toEqual(['slow', 'undo']);
});

test('under a halt the steps for a cancellation wait for its release', async () => {
  const halted = await runs.makeWorkspace();
  const peerSlug = (await runs.makeCapability(halted, { name: 'echo' })).slug;
  const undo = { ...call('undo'), connection: peerSlug };
  const workflow = await runs.makeWorkflow(halted, { steps: [pause('rest'), cleanup([], [undo])] });
  const begun = await runs.start(halted, workflow);
  await waits(begun, 'rest');
  await runs.asMember(halted, halted.admin, async (db) => ({
    result: null,
    event: await haltWorkspace(db, { workspaceId: halted.id, memberId: halted.admin.id, now: new Date() }),
  }));
  await cancel(begun, halted);
  await waits(begun, 'end');
  expect(calls).toEqual([]);
  await runs.lift(halted);
  expect(await ended(begun)).toMatchObject({ status: 'cancelled' });
  expect(calls).toEqual(['undo']);
});

test('a run that is let go of by its caller cleans up, also while the caller does; a call among them is made', async () => {
  const sub = (id: string, workflow: { artifactId: string }) => ({ id, name: id, kind: 'sub_workflow', workflow: workflow.artifactId });
  const child = await make(pause('rest'), cleanup([], [call('child_undo')]));
  const helper = await make(call('helper'));
  const runId = await start(sub('child', child), cleanup([], [sub('help', helper), call('undo')]));
  const childOf = async (path: string) => {
    const { rows } = await database.owner.query('select * from quorate.runs where caller_run_id = $1 and caller_path = $2', [runId, path]);
    return rows[0];
  };
  await expect.poll(async () => (await childOf('child'))?.status, { timeout: 20_000 }).toBe('waiting');
  await cancel(runId);
  expect(await ended(runId)).toMatchObject({ status: 'cancelled' });
  await expect.poll(async () => (await childOf('child')).status).toBe('cancelled');
  expect(await childOf('end/on_cancel/help')).toMatchObject({ status: 'completed' });
  expect(calls.toSorted()).toEqual(['child_undo', 'helper', 'undo']);
});
