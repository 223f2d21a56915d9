import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { loadRunStep } from '#app/features/runs/load-run-steps.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls: Parameters<CallPeer>[0][] = [];
let answer: CallPeer;
const echo: CallPeer = async ({ input }) => ({ output: { echoed: input.text ?? null }, protocolVersion: '1' });

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
  await runs.startWorker((call) => {
    calls.push(call);
    return answer(call);
  });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  calls = [];
  answer = echo;
});

const tool = (id: string, more: object = {}) => ({
  id,
  name: id,
  kind: 'tool',
  connection: slug,
  capability: 'echo',
  input: { text: id },
  backoffSeconds: 0,
  ...more,
});
const busy = (retryable: boolean) => new PeerError({ key: 'peerUnavailable', values: { connection: 'peer' }, retryable });

test('a failed attempt is repeated under the same idempotency key, each with its own decision', async () => {
  let failures = 2;
  answer = async (call) => {
    if (failures-- > 0) throw busy(true);
    return echo(call);
  };
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a', { retries: 2 })] }));
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  expect(calls.map((call) => call.idempotencyKey)).toEqual(Array(3).fill(`${runId}/a`));
  expect((await runs.steps(runId))[0]).toMatchObject({ status: 'success', attempt: 3, error: null });
  const { rows } = await database.owner.query('select attempt from quorate.decisions where run_id = $1 order by attempt', [runId]);
  expect(rows.map((row) => row.attempt)).toEqual([1, 2, 3]);
  // What went wrong before stays known, each attempt's by itself.
  const failed = await database.owner.query('select attempt, error, failed_at from quorate.step_attempts where run_id = $1 order by 1', [
    runId,
  ]);
  expect(failed.rows).toMatchObject([
    { attempt: 1, error: { key: 'peerUnavailable' } },
    { attempt: 2, error: { key: 'peerUnavailable' } },
  ]);
  const { id: userId, sessionId } = workspace.builder;
  const shown = await database.database.asMember({ userId, sessionId, workspaceId: workspace.id }, (db) =>
    loadRunStep(db, { id: runId, status: 'completed' }, 'a'),
  );
  expect(shown?.decisions.map(({ attempt, failure }) => [attempt, failure?.error.key ?? null])).toEqual([
    [1, 'peerUnavailable'],
    [2, 'peerUnavailable'],
    [3, null],
  ]);
});

test('of a step that fails again and again the last 20 attempts are kept; of one that does not fail there is none', async () => {
  let failures = 2;
  answer = async (call) => {
    if (failures-- <= 0) return echo(call);
    // As if there had been many before: of these, the first is 20 back from the one that fails now.
    if (failures === 1)
      await database.owner.query(
        `insert into quorate.step_attempts (workspace_id, run_id, path, attempt, error)
         select $1, $2, 'a', number, '{"key":"peerUnavailable","values":{}}' from generate_series(-19, 0) as number`,
        [workspace.id, call.idempotencyKey.split('/')[0]],
      );
    throw busy(true);
  };
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a', { retries: 2 }), tool('b')] }));
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  const { rows } = await database.owner.query(
    'select path, min(attempt) as first, max(attempt) as last, count(*)::int as kept from quorate.step_attempts where run_id = $1 group by 1',
    [runId],
  );
  expect(rows).toEqual([{ path: 'a', first: -17, last: 2, kept: 20 }]);
});

test('a failure that no repetition mends ends the run with the reason and the step', async () => {
  answer = async () => {
    throw busy(false);
  };
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a', { retries: 5 }), tool('b')] }));
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'failed',
    error: { key: 'peerUnavailable', step: 'a' },
  });
  expect(calls).toHaveLength(1);
});

test('a step that may fail leaves null and the run continues', async () => {
  answer = async (call) => {
    if (call.input.text === 'a') throw busy(false);
    return echo(call);
  };
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [tool('a', { onError: 'continue' }), tool('b')],
    output: '{ "a": $exists(steps.a) and steps.a != null, "b": steps.b.echoed }',
  });
  const runId = await runs.start(workspace, workflow);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { a: false, b: 'b' } });
});

test('a peer that never answers is left at the end of the step’s time', async () => {
  answer = () => new Promise(() => undefined);
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a', { timeoutSeconds: 1, retries: 0 })] }));
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'peerTimeout' } });
});

test('what the database cannot keep fails the step and nothing else', async () => {
  answer = async () => ({ output: { text: 'nul \u0000 here' }, protocolVersion: '1' });
  const nul = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  expect(await runs.until(nul, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'outputNotText' } });
  answer = async () => ({ output: { text: 'half \ud800 pair' }, protocolVersion: '1' });
  const half = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  expect(await runs.until(half, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'outputNotText' } });
  answer = async () => ({ output: 'x'.repeat(2_000_000), protocolVersion: '1' });
  const large = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a')] }));
  expect(await runs.until(large, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'outputTooLarge' } });
});

test('parallel branches run at once and each output is kept by its label', async () => {
  let together = 0;
  let most = 0;
  const both = Promise.withResolvers<void>();
  answer = async (call) => {
    together += 1;
    most = Math.max(most, together);
    if (together === 2) both.resolve();
    await both.promise;
    together -= 1;
    return echo(call);
  };
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [
      {
        id: 'fork',
        name: 'Fork',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'left', steps: [tool('l')] },
          { label: 'right', steps: [tool('r')] },
        ],
      },
    ],
  });
  const runId = await runs.start(workspace, workflow);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { left: { echoed: 'l' }, right: { echoed: 'r' } },
  });
  expect(most).toBe(2);
});

test('a branch that fails lets the other finish its step and start no further one', async () => {
  const left = Promise.withResolvers<void>();
  answer = async (call) => {
    if (call.input.text === 'r') {
      left.resolve();
      throw busy(false);
    }
    await left.promise;
    return echo(call);
  };
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [
      {
        id: 'fork',
        name: 'Fork',
        kind: 'branch',
        mode: 'parallel',
        branches: [
          { label: 'left', steps: [tool('l'), tool('l2')] },
          { label: 'right', steps: [tool('r', { retries: 0 })] },
        ],
      },
    ],
  });
  const runId = await runs.start(workspace, workflow);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { step: 'fork/right/r' } });
  const statuses = Object.fromEntries((await runs.steps(runId)).map((step) => [step.path, step.status]));
  expect(statuses['fork/right/r']).toBe('error');
  expect(statuses['fork/left/l']).toBe('success');
});

test('a cancelled run aborts its call, starts nothing more and says so once', async () => {
  const called = Promise.withResolvers<void>();
  answer = ({ signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(new PeerError({ key: 'peerCancelled', values: {}, retryable: true })));
      called.resolve();
    });
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a'), tool('b')] }));
  await called.promise;
  await runs.asMember(workspace, workspace.builder, async (db) => ({
    result: null,
    event: await cancelRun(db, { enqueueRun: runs.enqueueRun }, { workspaceId: workspace.id, runId, memberId: workspace.builder.id }),
  }));
  expect(await runs.until(runId, ['completed', 'failed', 'cancelled'])).toMatchObject({ status: 'cancelled' });
  expect(calls).toHaveLength(1);
  const { rows } = await database.owner.query('select action from quorate.audit_events where resource_id = $1 order by at', [runId]);
  expect(rows.map((row) => row.action)).toEqual(['run.started', 'run.cancelRequested', 'run.cancelled']);
});

test('a step without decision row does not exist: refused by policy means never called', async () => {
  const strict = await runs.makeWorkspace();
  const peer = await runs.makeCapability(strict, { name: 'echo', approved: false });
  const workflow = await runs.makeWorkflow(strict, { steps: [{ ...tool('a'), connection: peer.slug }] });
  const runId = await runs.start(strict, workflow);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed' });
  expect(calls).toHaveLength(0);
  const { rows } = await database.owner.query('select verdict from quorate.decisions where run_id = $1', [runId]);
  expect(rows).toEqual([{ verdict: 'deny' }]);
  expect((await runs.steps(runId))[0]).toMatchObject({ status: 'error' });
});

test('personal data does not leave to a connection that nobody approved for it', async () => {
  const strict = await runs.makeWorkspace();
  const peer = await runs.makeCapability(strict, { name: 'echo', personalDataAllowed: false });
  const workflow = await runs.makeWorkflow(strict, {
    steps: [{ ...tool('a'), connection: peer.slug, input: { text: 'write to ana.silva@example.org' } }],
  });
  const runId = await runs.start(strict, workflow);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed' });
  expect(calls).toHaveLength(0);
});

test('a step without a target is routed, and the candidates with their scores are kept', async () => {
  const routed = await runs.makeWorkspace();
  await runs.makeCapability(routed, { name: 'translate_letters' });
  await runs.makeCapability(routed, { name: 'detect_invoices' });
  const workflow = await runs.makeWorkflow(routed, {
    steps: [{ ...tool('a'), connection: null, capability: null, task: 'detect invoices in a text' }],
  });
  const runId = await runs.start(routed, workflow);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  expect(calls.map((call) => call.capability.name)).toEqual(['detect_invoices']);
  const [step] = await runs.steps(runId);
  expect(step.reason.key).toBe('routeOnly');
  expect(step.candidates[0]).toMatchObject({ name: 'detect_invoices', chosen: true });
});

test('the same request key starts one run', async () => {
  const workflow = await runs.makeWorkflow(workspace, { steps: [tool('a')] });
  const first = await runs.start(workspace, workflow, {}, 'key-1');
  await expect(runs.start(workspace, workflow, {}, 'key-1')).rejects.toMatchObject({ code: 'conflict' });
  await runs.until(first, ['completed']);
});

test('a retry that is far off lets go of the run until then', async () => {
  let failures = 1;
  answer = async (call) => {
    if (failures-- > 0) throw busy(true);
    return echo(call);
  };
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [tool('a', { backoffSeconds: 4 })] }));
  expect(await runs.until(runId, ['waiting'])).toMatchObject({ claimed_by: null });
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', attempt: 2 });
  expect(calls).toHaveLength(2);
});
