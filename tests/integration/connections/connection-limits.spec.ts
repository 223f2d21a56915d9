import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallPeer, PeerError } from '#app/engine/connections/peer.ts';
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

const ANSWER = { output: null, protocolVersion: '1' };
const runOf = (call: { idempotencyKey: string }) => call.idempotencyKey.slice(0, 36);
const busy = (retryAfterSeconds?: number) =>
  new PeerError({
    key: 'peerBusy',
    values: { status: 429 },
    retryable: true,
    happened: 'no',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

/** Calls that hang until they are let go. */
function hangingPeer() {
  const held = new Map<string, () => void>();
  let most = 0;
  const called: string[] = [];
  const call: CallPeer = async (call) => {
    const run = runOf(call);
    called.push(run);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    held.set(run, resolve);
    call.signal.addEventListener('abort', reject, { once: true });
    most = Math.max(most, held.size);
    await promise.finally(() => held.delete(run));
    return ANSWER;
  };
  return {
    call,
    called,
    most: () => most,
    hanging: () => [...held.keys()],
    until: (count: number) => vi.waitFor(() => expect(held.size).toBe(count), { timeout: 20_000 }),
    letGo: (run: string) => held.get(run)?.(),
  };
}

type Limits = { atOnce?: number; aMinute?: number };
async function limit(connectionId: string, { atOnce, aMinute }: Limits, at = workspace): Promise<void> {
  await database.arrange(at.id, async (client) => {
    await client.query('update quorate.connections set calls_at_once = $2, calls_a_minute = $3 where id = $1', [
      connectionId,
      atOnce ?? null,
      aMinute ?? null,
    ]);
  });
}

async function limited(limits: Limits, more: { retries?: number; writes?: boolean } = {}) {
  const { slug, connectionId } = await runs.makeCapability(workspace, { name: 'echo', writes: more.writes === true });
  if (Object.keys(limits).length > 0) await limit(connectionId, limits);
  const step = { id: 'say', name: 'Say', kind: 'tool', connection: slug, capability: 'echo', input: {}, timeoutSeconds: 300 };
  const workflow = await runs.makeWorkflow(workspace, { steps: [{ ...step, retries: more.retries ?? 0 }] });
  return { connectionId, slug, workflow };
}

async function startMany(workflow: Awaited<ReturnType<typeof limited>>['workflow'], count: number): Promise<string[]> {
  const started: string[] = [];
  for (let run = 0; run < count; run += 1) started.push(await runs.start(workspace, workflow));
  return started;
}

const lineOf = async (connectionId: string) =>
  (
    await database.owner.query(
      'select run_id, state, cause, expected_at from quorate.connection_calls where connection_id = $1 order by since',
      [connectionId],
    )
  ).rows;
const untilInLine = (connectionId: string, count: number) =>
  vi.waitFor(async () => expect((await lineOf(connectionId)).filter(({ state }) => state === 'waiting')).toHaveLength(count), {
    timeout: 20_000,
  });
/** As if so many seconds had passed for the minute and the pause of a connection. */
const pass = (connectionId: string, seconds: number) =>
  database.owner.query(
    `update quorate.connection_traffic set second = second - $2::int, paused_until = paused_until - make_interval(secs => $2::int)
      where connection_id = $1`,
    [connectionId, seconds],
  );

test('two workers together make no more calls at once than a connection takes, and the rest wait in line without a worker', async () => {
  const { connectionId, workflow } = await limited({ atOnce: 2 });
  const peer = hangingPeer();
  const workers = [await runs.startWorker(peer.call), await runs.startWorker(peer.call)];
  const started = await startMany(workflow, 6);
  await peer.until(2);
  await untilInLine(connectionId, 4);
  await vi.waitFor(() => expect(workers.reduce((sum, worker) => sum + worker.inFlight(), 0)).toBe(2), { timeout: 20_000 });
  const [waiting] = (await lineOf(connectionId)).filter(({ state }) => state === 'waiting');
  expect(await runs.run(waiting.run_id)).toMatchObject({ status: 'waiting', place: null });
  expect(await runs.steps(waiting.run_id)).toMatchObject([{ status: 'waiting', decision_id: null, error: null }]);
  for (let left = started.length; left > 0; left -= 1) {
    await peer.until(Math.min(2, left));
    peer.letGo(peer.hanging()[0] ?? '');
  }
  for (const run of started) await runs.until(run, ['completed']);
  expect(peer.most()).toBe(2);
  expect(await lineOf(connectionId)).toEqual([]);
  // waiting used up no attempt, and each call has its one decision
  for (const run of started) {
    expect(await runs.steps(run)).toMatchObject([{ status: 'success', attempt: 1 }]);
    const { rows } = await database.owner.query('select verdict from quorate.decisions where run_id = $1', [run]);
    expect(rows).toHaveLength(1);
  }
});

test('who waits longest goes first, and one who comes later does not overtake', async () => {
  const { connectionId, workflow } = await limited({ atOnce: 1 });
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  const started: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    started.push(await runs.start(workspace, workflow));
    if (count === 0) await peer.until(1);
    else await untilInLine(connectionId, count);
  }
  for (const run of started) {
    await vi.waitFor(() => expect(peer.hanging()).toEqual([run]), { timeout: 20_000 });
    peer.letGo(run);
  }
  await runs.until(started.at(-1) ?? '', ['completed']);
  expect(peer.called).toEqual(started);
});

test('a full connection holds up no call of another one', async () => {
  const full = await limited({ atOnce: 1 });
  const free = await limited({});
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  const first = await runs.start(workspace, full.workflow);
  await peer.until(1);
  const second = await runs.start(workspace, full.workflow);
  await untilInLine(full.connectionId, 1);
  const others = await startMany(free.workflow, 3);
  await peer.until(4);
  expect(peer.hanging().toSorted()).toEqual([first, ...others].toSorted());
  for (const run of [first, ...others]) peer.letGo(run);
  await vi.waitFor(() => expect(peer.hanging()).toEqual([second]), { timeout: 20_000 });
  peer.letGo(second);
  await runs.until(second, ['completed']);
});

test('a connection without limits leaves no trace of its calls', async () => {
  const { workflow } = await limited({});
  await runs.startWorker(async () => ANSWER);
  await runs.until(await runs.start(workspace, workflow), ['completed']);
  for (const table of ['connection_traffic', 'connection_calls'])
    expect((await database.owner.query(`select * from quorate.${table}`)).rows).toEqual([]);
});

test('no more calls start in any minute than a connection takes, and the wait is told', async () => {
  const { connectionId, workflow } = await limited({ aMinute: 3 });
  const called: string[] = [];
  await runs.startWorker(async (call) => {
    called.push(runOf(call));
    return ANSWER;
  });
  const started = await startMany(workflow, 7);
  await untilInLine(connectionId, 4);
  expect(called).toHaveLength(3);
  const [first] = await lineOf(connectionId);
  expect(first.cause).toBe('minute');
  const seconds = (first.expected_at.getTime() - Date.now()) / 1_000;
  expect(seconds).toBeGreaterThan(20);
  expect(seconds).toBeLessThan(62);
  // half a minute later there is still no room
  await pass(connectionId, 30);
  await database.owner.query('select * from quorate.free_calls()');
  expect((await lineOf(connectionId)).map(({ state }) => state)).toEqual(Array(4).fill('waiting'));
  await pass(connectionId, 31);
  await vi.waitFor(() => expect(called).toHaveLength(6), { timeout: 20_000 });
  await untilInLine(connectionId, 1);
  await pass(connectionId, 61);
  for (const run of started) await runs.until(run, ['completed']);
});

test('a raised limit and one that was taken away let those that wait continue', async () => {
  const { connectionId, workflow } = await limited({ atOnce: 1 });
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  await startMany(workflow, 5);
  await peer.until(1);
  await untilInLine(connectionId, 4);
  await limit(connectionId, { atOnce: 2 });
  await peer.until(2);
  await untilInLine(connectionId, 3);
  await limit(connectionId, {});
  await peer.until(5);
  for (const run of peer.hanging()) peer.letGo(run);
});

test('a cancelled call and a cancelled wait give their places back', async () => {
  const { connectionId, workflow } = await limited({ atOnce: 1 });
  const peer = hangingPeer();
  await runs.startWorker(peer.call);
  const [first, second, third] = (await startMany(workflow, 3)) as [string, string, string];
  await peer.until(1);
  await untilInLine(connectionId, 2);
  const cancel = async (run: string) => {
    await database.arrange(workspace.id, async (client) => {
      await client.query('update quorate.runs set cancel_requested_at = now() where id = $1', [run]);
    });
    await runs.queue.send([{ runId: run, workspaceId: workspace.id }]);
    await runs.until(run, ['cancelled']);
  };
  const [calling] = peer.hanging() as [string];
  const waiting = [first, second, third].filter((run) => run !== calling) as [string, string];
  await cancel(waiting[0]);
  await cancel(calling);
  await vi.waitFor(() => expect(peer.hanging()).toEqual([waiting[1]]), { timeout: 20_000 });
  peer.letGo(waiting[1]);
  await runs.until(waiting[1], ['completed']);
});

test('the place of a call whose worker died stays with its step, which calls again', async () => {
  const { connectionId, workflow } = await limited({ atOnce: 1 });
  const peer = hangingPeer();
  const dying = await runs.startWorker(peer.call);
  const [first, second] = (await startMany(workflow, 2)) as [string, string];
  await untilInLine(connectionId, 1);
  const [calling] = peer.hanging() as [string];
  await dying.stop();
  const next = hangingPeer();
  await runs.startWorker(next.call);
  for (const run of [calling, calling === first ? second : first]) {
    await vi.waitFor(() => expect(next.hanging()).toEqual([run]), { timeout: 20_000 });
    next.letGo(run);
  }
  for (const run of [first, second]) await runs.until(run, ['completed']);
  expect(next.most()).toBe(1);
});

test('a limited connection takes the calls of parallel branches one after another', async () => {
  const { slug, connectionId } = await limited({ atOnce: 1 });
  const step = { name: 'Say', kind: 'tool', connection: slug, capability: 'echo', input: {}, timeoutSeconds: 300 };
  const branches = ['a', 'b', 'c'].map((label) => ({ label, when: '', steps: [{ ...step, id: `say_${label}` }] }));
  const workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'all', name: 'All', kind: 'branch', mode: 'parallel', branches }] });
  let at = 0;
  let most = 0;
  await runs.startWorker(async () => {
    at += 1;
    most = Math.max(most, at);
    await new Promise((resolve) => setImmediate(resolve));
    at -= 1;
    return ANSWER;
  });
  const run = await runs.start(workspace, workflow);
  await runs.until(run, ['completed']);
  expect(most).toBe(1);
  expect(await lineOf(connectionId)).toEqual([]);
});

test('after a refusal for load no call of the connection is made in any process until the time its peer named', async () => {
  const { connectionId, workflow } = await limited({}, { writes: true });
  const called: string[] = [];
  let refuses = true;
  const peer: CallPeer = async (call) => {
    called.push(runOf(call));
    if (refuses) throw busy(40);
    return ANSWER;
  };
  await runs.startWorker(peer);
  await runs.startWorker(peer);
  const first = await runs.start(workspace, workflow);
  await runs.until(first, ['waiting']);
  const others = await startMany(workflow, 4);
  await untilInLine(connectionId, 4);
  expect(called).toEqual([first]);
  const [{ paused_until: until }] = (await database.owner.query('select paused_until from quorate.connection_traffic')).rows;
  const seconds = (until.getTime() - Date.now()) / 1_000;
  expect(seconds).toBeGreaterThan(5);
  expect(seconds).toBeLessThanOrEqual(40);
  expect((await lineOf(connectionId)).map(({ cause }) => cause)).toEqual(Array(4).fill('peer'));
  refuses = false;
  await pass(connectionId, 41);
  for (const run of others) await runs.until(run, ['completed']);
  // what was refused keeps to its own time, although it has no retries left, and none of it counts as a failure
  const [step] = await runs.steps(first);
  expect(step).toMatchObject({ status: 'pending', error: { key: 'peerBusy', failures: 0, refusals: 1 } });
  expect(step.next_attempt_at.getTime()).toBeGreaterThanOrEqual(until.getTime());
});

test('a peer that names no time is left alone longer each time, five minutes at most', async () => {
  const { connectionId } = await limited({});
  const pauses: number[] = [];
  for (let count = 0; count < 12; count += 1) {
    const { rows } = await database.owner.query(
      'select extract(epoch from quorate.pause_calls($1, $2, null) - clock_timestamp())::float as seconds',
      [workspace.id, connectionId],
    );
    pauses.push(rows[0].seconds);
    // a second refusal of the same burst changes nothing
    await database.owner.query('select quorate.pause_calls($1, $2, null)', [workspace.id, connectionId]);
    await pass(connectionId, 301);
    await database.owner.query("update quorate.connection_traffic set paused_until = clock_timestamp() - interval '1 second'");
  }
  for (const [count, seconds] of pauses.entries()) {
    const full = Math.min(300, 2 ** (count + 1));
    expect(seconds).toBeGreaterThan(full * 0.75 - 1);
    expect(seconds).toBeLessThanOrEqual(full);
  }
  const { rows } = await database.owner.query(
    'select extract(epoch from quorate.pause_calls($1, $2, 86400) - clock_timestamp())::float as seconds',
    [workspace.id, connectionId],
  );
  expect(rows[0].seconds).toBeLessThanOrEqual(300);
});

test('a pause holds back one workspace alone', async () => {
  const { connectionId } = await limited({});
  const other = await runs.makeWorkspace();
  await database.owner.query('select quorate.pause_calls($1, $2, 60)', [other.id, connectionId]);
  expect((await database.owner.query('select * from quorate.connection_traffic')).rows).toEqual([]);
});
