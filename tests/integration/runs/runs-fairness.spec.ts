import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
/** With the long backlog. */
let busy: Workspace;
let other: Workspace;

beforeEach(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  busy = await runs.makeWorkspace();
  other = await runs.makeWorkspace();
});
afterEach(async () => {
  await runs?.close();
  await database?.close();
});

const OTHERS = 'https://others.example';
async function workflowIn(workspace: Workspace) {
  const endpoint = workspace === other ? OTHERS : 'https://peer.example';
  const { slug } = await runs.makeCapability(workspace, { name: 'echo', endpoint });
  const step = { id: 'say', name: 'Say', kind: 'tool', connection: slug, capability: 'echo', input: {}, timeoutSeconds: 300 };
  return runs.makeWorkflow(workspace, { steps: [step] });
}
const runOf = (call: { idempotencyKey: string }) => call.idempotencyKey.slice(0, 36);

test('a run behind a long backlog of another workspace starts among the first, and each workspace keeps its own order', async () => {
  const [many, one] = [await workflowIn(busy), await workflowIn(other)];
  const backlog: string[] = [];
  for (let run = 0; run < 60; run += 1) backlog.push(await runs.start(busy, many));
  const late = [await runs.start(other, one), await runs.start(other, one)];
  const started: string[] = [];
  const held = new Map<string, () => void>();
  let holds = true;
  await runs.startWorker(
    async (call) => {
      started.push(runOf(call));
      const { promise, resolve } = Promise.withResolvers<void>();
      if (holds) held.set(runOf(call), resolve);
      else resolve();
      await promise;
      return { output: null, protocolVersion: '1' };
    },
    { maxInFlight: 2 },
  );
  const calling = (expected: string[]) => vi.waitFor(() => expect(started.toSorted()).toEqual(expected.toSorted()), { timeout: 60_000 });
  const [first = ''] = backlog;
  const [earlier = '', later = ''] = late;
  await calling([first, earlier]);
  // the place that is free goes to whom the other does not belong
  held.get(earlier)?.();
  await calling([first, earlier, later]);
  holds = false;
  held.get(first)?.();
  held.get(later)?.();
  for (const run of [...backlog, ...late]) await runs.until(run, ['completed']);
  expect(started.filter((run) => backlog.includes(run))).toEqual(backlog);
});

test('long runs of one workspace leave places for the others', async () => {
  const [many, one] = [await workflowIn(busy), await workflowIn(other)];
  const release = Promise.withResolvers<void>();
  let hanging = 0;
  const own: string[] = [];
  await runs.startWorker(
    async (call) => {
      if (call.peer.endpoint === OTHERS) return { output: null, protocolVersion: '1' };
      hanging += 1;
      await release.promise;
      return { output: null, protocolVersion: '1' };
    },
    { maxInFlight: 10 },
  );
  const backlog: string[] = [];
  for (let run = 0; run < 30; run += 1) backlog.push(await runs.start(busy, many));
  await vi.waitFor(() => expect(hanging).toBe(9), { timeout: 20_000 });
  for (let run = 0; run < 5; run += 1) own.push(await runs.start(other, one));
  for (const run of own) await runs.until(run, ['completed']);
  expect(hanging).toBe(9);
  release.resolve();
  for (const run of backlog) await runs.until(run, ['completed']);
});

test('a run that continues does not queue behind its own workspace’s backlog', async () => {
  const many = await workflowIn(busy);
  const asked = await runs.start(busy, many);
  for (let run = 0; run < 40; run += 1) await runs.start(busy, many);
  await runs.queue.send([{ runId: asked, workspaceId: busy.id }]);
  const [first] = await runs.queue.fetch(1);
  expect(first?.runId).toBe(asked);
});
