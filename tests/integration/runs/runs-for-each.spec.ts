import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
import { loadRun } from '#app/features/runs/load-run.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let calls: Parameters<CallPeer>[0][] = [];
let answer: CallPeer;
const echo: CallPeer = async ({ input }) => ({ output: { echoed: input.text ?? null }, protocolVersion: '1' });
const failOn =
  (...texts: string[]): CallPeer =>
  async (call) => {
    if (texts.includes(String(call.input.text)))
      throw new PeerError({ key: 'peerUnavailable', values: { connection: 'peer' }, retryable: false });
    return echo(call);
  };

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

const call = { id: 'call', name: 'Call', kind: 'tool', capability: 'echo', input: { text: '=$string(item)' }, retries: 0 };
const loop = (more: object, steps: object[] = [{ ...call, connection: slug }]) => ({
  id: 'lines',
  name: 'Lines',
  kind: 'for_each',
  items: '=[1..12]',
  collect: '=steps.call.echoed',
  ...more,
  branches: [{ label: 'each', steps }],
});
const run = async (...steps: object[]) => {
  const runId = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps }));
  return { runId, ...(await runs.until(runId, ['completed', 'failed'])) };
};
const rowsOf = async (runId: string) => {
  const { rows } = await database.owner.query(
    'select path, kind, status, item_of, item_index, within, idempotency_key from quorate.steps where run_id = $1 order by item_index, path',
    [runId],
  );
  return rows;
};

test('each item has rows of its own, in the order of its number, and results come in the order of the list', async () => {
  answer = async (one) => {
    await pause(one.input.text === '1' ? 60 : 1);
    return echo(one);
  };
  const { runId, status, output } = await run(loop({ atOnce: 5 }));
  expect(status).toBe('completed');
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  const results = numbers.map((index) => String(index + 1));
  expect(output).toEqual({ count: 12, ok: 12, failed: 0, results, risk: 'low', findings: 0 });
  const rows = await rowsOf(runId);
  expect(rows.filter((row) => row.item_index !== null).map((row) => row.path)).toEqual(numbers.map((index) => `lines/${index}`));
  expect(rows.find((row) => row.path === 'lines/10/call')).toMatchObject({
    item_of: null,
    within: 'lines/10',
    idempotency_key: `${runId}/lines/10/call`,
  });
});

test('no more items are under way at once than the step says', async () => {
  let underWay = 0;
  let most = 0;
  const together = Promise.withResolvers<void>();
  answer = async (one) => {
    most = Math.max(most, ++underWay);
    // held until three have met: how soon each comes is the machine's affair
    if (underWay >= 3) together.resolve();
    await together.promise;
    await pause(5);
    underWay -= 1;
    return echo(one);
  };
  await run(loop({ atOnce: 3 }));
  expect(most).toBe(3);
  most = 0;
  await run(loop({ atOnce: 1 }));
  expect(most).toBe(1);
});

test('an item that fails stops the loop: no other one begins, and the run tells the reason', async () => {
  answer = failOn('4');
  const { runId, status, error } = await run(loop({ atOnce: 1 }));
  expect({ status, error }).toMatchObject({ status: 'failed', error: { key: 'peerUnavailable' } });
  expect(calls.map((one) => one.input.text)).toEqual(['1', '2', '3', '4']);
  expect((await rowsOf(runId)).filter((row) => row.item_index !== null).map((row) => row.status)).toEqual([
    ...Array(3).fill('success'),
    'error',
  ]);
});

test('where a loop continues, the place of a failed item holds its error', async () => {
  answer = failOn('2', '11');
  const { status, output } = await run(loop({ atOnce: 2, onItemError: 'continue' }));
  expect(status).toBe('completed');
  expect(output).toMatchObject({ count: 12, ok: 10, failed: 2 });
  expect(output.results[1]).toEqual({ error: { key: 'peerUnavailable', values: { connection: 'peer' } } });
  expect(output.results[11]).toBe('12');
});

test('the picture shows how the steps inside a loop stand, all items together: what is worst speaks for the others', async () => {
  const shape = { id: 'shape', name: 'Shape', kind: 'transform', expression: 'item' };
  const statesOf = async (document: object) => {
    const { runId } = await run(document);
    const shown = await database.database.asMember(
      { userId: workspace.admin.id, sessionId: workspace.admin.sessionId, workspaceId: workspace.id },
      (db) => loadRun(db, runId),
    );
    expect(shown.steps.map(({ path, items }) => [path, items])).toEqual([['lines', expect.objectContaining({ total: 12 })]]);
    return shown.loopStates;
  };
  const steps = [shape, { ...call, connection: slug }];
  expect(await statesOf(loop({}, steps))).toEqual([
    ['lines/each/shape', 'success'],
    ['lines/each/call', 'success'],
  ]);
  answer = failOn('2');
  expect(await statesOf(loop({ onItemError: 'continue' }, steps))).toEqual([
    ['lines/each/shape', 'success'],
    ['lines/each/call', 'error'],
  ]);
});

test.each([
  ['no list', '={"a": 1}', { key: 'notAList' }],
  ['nothing', '=steps.none', { key: 'notAList' }],
  ['too long a list', '=[1..10001]', { key: 'tooManyItems', values: { count: 10_001, limit: 10_000 } }],
])('%s is refused at the step, and nothing is called', async (_what, items, error) => {
  expect(await run(loop({ items }))).toMatchObject({ status: 'failed', error: { ...error, step: 'lines' } });
  expect(calls).toEqual([]);
});

test.each([
  ['one byte a letter', 'x'.repeat(300_000)],
  ['two bytes a letter', 'ش'.repeat(150_000)],
])('results that are too large together, %s, are refused before all items have been called', async (_what, echoed) => {
  answer = async () => ({ output: { echoed }, protocolVersion: '1' });
  expect(await run(loop({ atOnce: 1 }))).toMatchObject({ status: 'failed', error: { key: 'loopResultsTooLarge', step: 'lines' } });
  expect(calls).toHaveLength(4);
});

test('an empty list and a list of nothing but computed items end the loop, however many there are', async () => {
  expect(await run(loop({ items: '=[]' }))).toMatchObject({ status: 'completed', output: { count: 0, results: [] } });
  const double = { id: 'double', name: 'Double', kind: 'transform', expression: 'item * 2' };
  const { output } = await run(loop({ items: '=[1..3000]', atOnce: 20, collect: '' }, [double]));
  expect(output).toMatchObject({ count: 3_000, ok: 3_000 });
  expect(output.results.slice(-2)).toEqual([5_998, 6_000]);
});

test('a loop in a loop', async () => {
  const inner = { ...loop({ items: '=[item.a, item.b]', collect: '=item' }, [{ ...call, connection: slug }]), id: 'inner' };
  const { output } = await run(loop({ items: '=[{"a": 1, "b": 2}, {"a": 3, "b": 4}]', collect: '=steps.inner.results' }, [inner]));
  expect(output.results).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(calls.map((one) => one.idempotencyKey.slice(37)).sort()).toEqual([
    'lines/0/inner/0/call',
    'lines/0/inner/1/call',
    'lines/1/inner/0/call',
    'lines/1/inner/1/call',
  ]);
});

test('the risk that an item reported stands in the output, where a later decision weighs it', async () => {
  answer = async ({ input }) => ({ output: { matches: input.text === '7' ? [{ risk: 'high' }] : [] }, protocolVersion: '1' });
  expect((await run(loop({ collect: '=index' }))).output).toMatchObject({ risk: 'high', findings: 1 });
});

test('items wait for people, and the walk after that reads only what has not ended', async () => {
  const ask = { id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?', show: { Item: '=item' } };
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, {
      steps: [
        loop({ items: '=[1..4]', atOnce: 2 }, [
          {
            id: 'which',
            name: 'Which',
            kind: 'branch',
            mode: 'choose',
            branches: [
              { label: 'third', when: 'item = 3', steps: [ask] },
              { label: 'other', when: '', steps: [] },
            ],
          },
          { ...call, connection: slug },
        ]),
      ],
    }),
  );
  await runs.until(runId, ['waiting']);
  // which of two at once calls first is not said
  expect(calls.map((one) => one.input.text).toSorted()).toEqual(['1', '2', '4']);
  const { rows } = await database.owner.query('select quorate.read_journal($1) as steps, quorate.list_loops($1) as loops', [runId]);
  expect(rows[0].steps.map((step: { path: string }) => step.path).filter((path: string) => !path.startsWith('lines/2'))).toEqual(['lines']);
  expect(rows[0].loops).toMatchObject([
    {
      path: 'lines',
      ok: 3,
      failed: 0,
      ended: [
        [0, 2],
        [3, 4],
      ],
    },
  ]);
  const { rows: asked } = await database.owner.query('select id, action_digest from quorate.approvals where run_id = $1', [runId]);
  expect(asked).toHaveLength(1);
  await database.prove(workspace.approver, asked[0].id);
  await runs.asMember(workspace, workspace.approver, async (db) => {
    await voteApproval(
      db,
      { enqueueRun: runs.enqueueRun },
      { approvalId: asked[0].id, vote: 'approve', reason: '', digest: asked[0].action_digest },
    );
    return { result: null, event: { action: 'approval.voted', resource: { kind: 'approval', id: asked[0].id } } };
  });
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({
    status: 'completed',
    output: { results: ['1', '2', '3', '4'] },
  });
  expect(calls.slice(3).map((one) => one.input.text)).toEqual(['3']);
});
