/**
 * Whoever waits for a run is told by the process that drives it. The looks, which would find a change later, are hours apart here. A status
 * may be heard twice: a worker announces it after the commit, and whoever registers in between has read it already.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunChange } from '#app/contracts/runs.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';
import { createAnnouncer } from '#app/engine/runs/waiting/announce-changes.ts';
import { collectChanges } from '#app/engine/runs/waiting/report-changes.ts';
import { createRunWatcher, type RunWatcher } from '#app/engine/runs/waiting/run-changes.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const NEVER_MS = 2 ** 31 - 1;

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
const statement: Statement = (query) => database.database.workerPool.query(query);
const watchers: RunWatcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'echo' })).slug;
});
afterAll(async () => {
  await runs?.close();
  await Promise.all(watchers.map((watcher) => watcher.stop()));
  await database?.close();
});

function openWatcher(lookMs = NEVER_MS): RunWatcher {
  const watcher = createRunWatcher({ statement, listen: database.database.listen, log: quietLog, lookMs });
  watchers.push(watcher);
  return watcher;
}
/** A worker of another process: what it reports reaches nobody but by the database. */
const startOtherWorker = (callPeer: CallPeer) =>
  runs.startWorker(callPeer, { report: collectChanges(createAnnouncer({ statement, log: quietLog }).announce) });
function hear(watcher: RunWatcher, runId: string): { heard: RunChange[]; end(): void } {
  const heard: RunChange[] = [];
  return { heard, end: watcher.watch({ runId, workspaceId: workspace.id }, (change) => heard.push(change)) };
}
const registered = async () =>
  (await database.owner.query<{ run_id: string }>('select run_id from quorate.watching')).rows.map((row) => row.run_id);

test('a run that another process drives is told of as it goes, and to nobody who does not wait for it', async () => {
  const called = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const workflow = await runs.makeWorkflow(workspace, {
    steps: [{ id: 'a', name: 'A', kind: 'tool', connection: slug, capability: 'echo', input: { text: 'a' } }],
  });
  const watcher = openWatcher();
  const [mine, other] = [await runs.start(workspace, workflow), await runs.start(workspace, workflow)];
  const { heard, end } = hear(watcher, mine);
  // How it stands, once it is registered: whatever changed before that is read.
  await expect.poll(() => heard).toEqual(['pending']);
  expect(await registered()).toEqual([mine]);
  const payloads: string[] = [];
  const [{ process_id } = { process_id: '' }] = (await database.owner.query('select process_id from quorate.watching')).rows;
  await database.database.listen(`quorate_process_${process_id}`, (payload) => payloads.push(payload));
  await startOtherWorker(async ({ input }) => {
    called.resolve();
    await release.promise;
    return { output: input, protocolVersion: '1' };
  });
  await called.promise;
  await expect.poll(() => heard).toContain('processing');
  release.resolve();
  await expect.poll(() => heard).toContain('completed');
  await runs.until(other, ['completed']);
  expect(payloads.join()).not.toContain(other);
  end();
});

test('what this process tells reaches whoever waits here, until they wait no longer', async () => {
  const watcher = openWatcher();
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?' }] }),
  );
  await runs.until(runId, ['waiting']);
  const { heard, end } = hear(watcher, runId);
  await expect.poll(() => heard).toContain('waiting');
  watcher.tell(new Map([[runId, 'unknown']]));
  expect(heard.at(-1)).toBe('unknown');
  end();
  watcher.tell(new Map([[runId, 'completed']]));
  expect(heard).not.toContain('completed');
});

test('a change that nobody told of is found by the next look, and by nobody else', async () => {
  const watcher = openWatcher(20);
  const workflow = await runs.makeWorkflow(workspace, { steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?' }] });
  const [mine, other] = [await runs.start(workspace, workflow), await runs.start(workspace, workflow)];
  await runs.until(mine, ['waiting']);
  await runs.until(other, ['waiting']);
  const [first, second] = [hear(watcher, mine), hear(watcher, other)];
  // Both rest: what is written of a question after its run waits has been found, too.
  let seen = 0;
  const rests = () => {
    const before = seen;
    seen = first.heard.length + second.heard.length;
    return seen > 1 && seen === before;
  };
  await expect.poll(rests, { interval: 500 }).toBe(true);
  const [ofFirst, ofSecond] = [first.heard.length, second.heard.length];
  await database.owner.query('update quorate.runs set updated_at = clock_timestamp() where id = $1', [mine]);
  await expect.poll(() => first.heard.slice(ofFirst)).toContain('unknown');
  expect(second.heard.slice(ofSecond)).toEqual([]);
  first.end();
  second.end();
  // With nobody left, nothing stays behind.
  await expect.poll(async () => (await registered()).filter((runId) => runId === mine || runId === other)).toEqual([]);
});

test('all who wait read again when the connection that notifications come by was lost and is back', async () => {
  const watcher = openWatcher();
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?' }] }),
  );
  await runs.until(runId, ['waiting']);
  const { heard, end } = hear(watcher, runId);
  await expect.poll(() => heard).toContain('waiting');
  expect(heard).not.toContain('unknown');
  expect(await database.cutConnections('quorate listen')).toBe(1);
  await expect.poll(() => heard).toContain('unknown');
  end();
});

test('a process registers no run of another workspace', async () => {
  const watcher = openWatcher();
  const elsewhere = await runs.makeWorkspace();
  const runId = await runs.start(
    elsewhere,
    await runs.makeWorkflow(elsewhere, { steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?' }] }),
  );
  const own = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?' }] }),
  );
  const foreign = hear(watcher, runId);
  const mine = hear(watcher, own);
  await expect.poll(() => mine.heard.length).toBeGreaterThan(0);
  expect(foreign.heard).toEqual([]);
  expect(await registered()).not.toContain(runId);
  foreign.end();
  mine.end();
});

test('a look at a run of 10,000 items reads some of its rows, and finds that it has got further', async () => {
  const runId = await runs.start(
    workspace,
    await runs.makeWorkflow(workspace, { steps: [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Go on?' }] }),
  );
  await runs.until(runId, ['waiting']);
  const insert = (from: number, to: number) =>
    database.owner.query(
      `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key, item_of, item_index, within, finished_at, output)
       select $1::uuid, $2::uuid, 'lines/' || i || x.rest, x.id, x.kind, 'Line', 'success', 1, $1::uuid || '/lines/' || i || x.rest, x.of, case when x.of is not null then i end,
         case when x.of is null then 'lines/' || i end, clock_timestamp(), to_json(repeat('word ', 60))
       from generate_series($3::int, $4::int) i
         cross join (values ('', 'lines', 'for_each', 'lines'), ('/call', 'call', 'transform', null)) as x (rest, id, kind, of)`,
      [runId, workspace.id, from, to],
    );
  await database.owner.query(
    `insert into quorate.steps (run_id, workspace_id, path, step_id, kind, name, status, run_attempt, idempotency_key)
     values ($1::uuid, $2, 'lines', 'lines', 'for_each', 'Lines', 'processing', 1, $1::uuid || '/lines')`,
    [runId, workspace.id],
  );
  await insert(0, 9_999);
  await database.owner.query('analyze quorate.steps');
  const client = await database.owner.connect();
  const look = async () => {
    await client.query('begin');
    const reads = `select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where schemaname = 'quorate' and relname = 'steps'`;
    const before = Number((await client.query(reads)).rows[0]?.rows);
    const { rows } = await client.query('select mark from quorate.list_run_marks($1, $2)', [[workspace.id], [runId]]);
    const after = Number((await client.query(reads)).rows[0]?.rows);
    await client.query('commit');
    return { mark: String(rows[0]?.mark), rows: after - before };
  };
  const first = await look();
  expect(first.rows).toBeGreaterThan(0);
  expect(first.rows).toBeLessThan(100);
  expect((await look()).mark).toBe(first.mark);
  await insert(10_000, 10_000);
  const later = await look();
  expect(later.mark).not.toBe(first.mark);
  await database.owner.query(`update quorate.steps set finished_at = null where run_id = $1 and path = 'lines/9990'`, [runId]);
  expect((await look()).mark).not.toBe(later.mark);
  client.release();
});
