/** A replay of past decisions is made by a worker: counted run by run, in money, once, resumed after a kill, and for who sees all runs. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { perform } from '#app/engine/commands/perform.ts';
import { cancelReplay } from '#app/engine/commands/policies/cancel-replay.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { startReplay } from '#app/engine/commands/policies/start-replay.ts';
import { type ReplayDeps, runNextReplay } from '#app/engine/policy/replay/run-replays.ts';
import { readReplayChanges, readReplays } from '#app/features/policies/replay/read-replay.server.ts';
import { openControlDesk } from '#tests/integration/support/control-desk.ts';
import { commandDeps, principalOf } from '#tests/integration/support/policy-in-force.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
let policy: string;

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  await runs.startWorker(async () => ({ output: { said: true }, protocolVersion: '1' }));
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(async () => {
  workspace = await runs.makeWorkspace();
  ({ slug } = await runs.makeCapability(workspace, { name: 'pay' }));
  ({ id: policy } = await perform(createPolicy, as(workspace.admin), commandDeps(runs), { name: 'Draft', description: '' }));
});

const as = (member: TestMember) => principalOf(database, runs, workspace, member);
const RULE = `@id("a") @verdict("deny") @reason("Not live.") forbid(principal, action, resource) when { context.mode == "live" };`;
const start = async (member: TestMember, { text = RULE, id = newId() } = {}) => {
  await perform(startReplay, as(member), commandDeps(runs), { id, policy, name: 'Draft', text, isDraft: true, days: 30 });
  return id;
};
const deps = (): ReplayDeps => ({ asApp: database.database.app, asWorker: database.database.asWorker, log: quietLog });
const work = (stopping = new AbortController().signal) => runNextReplay(deps(), stopping);
const shown = async (id: string, member = workspace.builder) => {
  const [replays, { changes }] = await as(member).read(async (db) => [
    await readReplays(db, policy),
    await readReplayChanges(db, { replay: id, after: null, size: 50 }),
  ]);
  return { replay: replays.find((one) => one.id === id), changes };
};
/** Runs that each pay an amount of EUR twice. */
async function pay(amounts: readonly number[]): Promise<string[]> {
  const ids: string[] = [];
  for (const amount of amounts) {
    const step = (id: string) => ({
      ...{ id, name: id, kind: 'tool', connection: slug, capability: 'pay', retries: 0 },
      input: { total: `={"amount": ${amount}, "currency": "EUR"}` },
    });
    const id = await runs.start(workspace, await runs.makeWorkflow(workspace, { steps: [step('a'), step('b')] }), {});
    await runs.until(id, ['completed']);
    ids.push(id);
  }
  return ids;
}

test('counts decisions, runs and money, and lists each with its run, the newest first', async () => {
  const [first, second] = await pay([100, 0.1]);
  const id = await start(workspace.builder);
  expect(await shown(id)).toMatchObject({ replay: { status: 'pending', runs: 0 }, changes: [] });
  expect(await work()).toBe(true);
  expect(await work()).toBe(false);
  const { replay, changes } = await shown(id);
  expect(replay).toMatchObject({
    ...{ status: 'completed', runs: 2, totalRuns: 2, decided: 4, unreadable: 0, changed: 4, changedRuns: 2 },
    totals: [{ was: 'allow', would: 'deny', decisions: 4, runs: 2, money: { EUR: 200.2 } }],
  });
  expect(changes.map(({ run, money }) => [run.id, money])).toEqual([
    [second, { EUR: 0.1 }],
    [second, { EUR: 0.1 }],
    [first, { EUR: 100 }],
    [first, { EUR: 100 }],
  ]);
});

test('names the money of the run, once, where its calls name none', async () => {
  const step = (id: string) => ({ ...{ id, name: id, kind: 'tool', connection: slug, capability: 'pay', retries: 0 }, input: {} });
  const field = { name: 'total', title: 'Total', type: 'money', required: true };
  const workflow = await runs.makeWorkflow(workspace, { input: [field], steps: [step('a'), step('b')] });
  const run = await runs.start(workspace, workflow, { total: { amount: 250, currency: 'USD' } });
  await runs.until(run, ['completed']);
  const id = await start(workspace.builder);
  await work();
  const { replay, changes } = await shown(id);
  expect(replay?.totals).toMatchObject([{ decisions: 2, runs: 1, money: { USD: 250 } }]);
  expect(changes.map(({ money }) => money)).toEqual([{ USD: 250 }, { USD: 250 }]);
});

test('goes on where a worker left it, and counts nothing twice', async () => {
  await pay([1, 2, 3]);
  const id = await start(workspace.builder);
  const stopping = new AbortController();
  const leaving: ReplayDeps = {
    ...deps(),
    asWorker: (of, task) =>
      deps().asWorker(of, (db) => {
        stopping.abort();
        return task(db);
      }),
  };
  expect(await runNextReplay(leaving, stopping.signal)).toBe(true);
  expect((await shown(id)).replay).toMatchObject({ status: 'processing', runs: 0 });
  expect(await work()).toBe(true);
  expect((await shown(id)).replay).toMatchObject({ status: 'completed', runs: 3, changed: 6 });
});

test('is refused to who holds it no longer, and begins again where the policies are others', async () => {
  await pay([1]);
  const id = await start(workspace.builder);
  const call = async (text: string, values: unknown[]) =>
    Object.values((await database.owner.query(text, values)).rows[0] ?? {})[0] as unknown;
  await database.owner.query('select quorate.take_policy_replay()');
  const begin = (fence: number, version: string) =>
    call('select quorate.begin_policy_replay($1, $2, $3, $4)', [workspace.id, id, fence, version]);
  const note = (fence: number, runsDone: number) =>
    call('select quorate.note_policy_replay($1, $2, $3, $4, false)', [
      ...[workspace.id, id, fence],
      JSON.stringify({ runs: runsDone, decided: 1, unreadable: 0, changed: [], cursorAt: new Date(), cursorRun: newId() }),
    ]);
  expect(await begin(1, 'v1')).toMatchObject({ cursorRun: null });
  expect(await note(1, 1)).toBe(true);
  expect(await begin(1, 'v1')).toMatchObject({ cursorRun: expect.any(String) });
  expect(await begin(1, 'v2')).toMatchObject({ cursorRun: null });
  expect((await shown(id)).replay).toMatchObject({ runs: 0, decided: 0 });
  await database.owner.query("update quorate.policy_replays set lease_until = now() - interval '1 second' where id = $1", [id]);
  await database.owner.query('select quorate.take_policy_replay()');
  expect(await begin(1, 'v2')).toBeNull();
  expect(await note(1, 1)).toBe(false);
  expect(await note(2, 1)).toBe(true);
});

test('is one at a time for a text, ends when it is cancelled, and then by who asked or an admin alone', async () => {
  const id = await start(workspace.builder);
  await expect(start(workspace.admin)).rejects.toMatchObject({ code: 'conflict', reasons: [{ key: 'replayRuns' }] });
  const other = await start(workspace.admin, { text: `${RULE}\n` });
  const cancel = (member: TestMember, replay: string) => perform(cancelReplay, as(member), commandDeps(runs), { replay, name: 'Draft' });
  await expect(cancel(workspace.builder, other)).rejects.toMatchObject({ code: 'forbidden' });
  await cancel(workspace.builder, id);
  await cancel(workspace.admin, other);
  await expect(cancel(workspace.admin, id)).rejects.toMatchObject({ reasons: [{ key: 'replayEnded' }] });
  expect(await work()).toBe(false);
  expect((await shown(id)).replay).toMatchObject({ status: 'cancelled' });
});

test('is neither asked for nor read without seeing all runs, nor in another workspace', async () => {
  await pay([1]);
  const plain = await openControlDesk(database, runs, workspace).join(['user']);
  await expect(start(plain)).rejects.toMatchObject({ code: 'forbidden' });
  const id = await start(workspace.approver);
  await work();
  expect(await shown(id, plain)).toEqual({ replay: undefined, changes: [] });
  const here = workspace;
  workspace = await runs.makeWorkspace();
  expect(await shown(id, workspace.admin)).toEqual({ replay: undefined, changes: [] });
  await expect(start(workspace.admin)).rejects.toMatchObject({ code: 'not_found' });
  // gone with the run: nothing of an erased run stays in a replay
  await database.arrange(
    here.id,
    async (client) => void (await client.query('delete from quorate.runs where workspace_id = $1', [here.id])),
  );
  workspace = here;
  expect((await shown(id)).changes).toEqual([]);
});

test('of a text that nobody can read fails, and says so', async () => {
  const id = await start(workspace.builder, { text: 'permit(principal' });
  await work();
  expect((await shown(id)).replay).toMatchObject({ status: 'failed' });
});
