/** A step that waits for an event: the address it comes to, an event that comes early, twice, late, or is forged. */
import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { clientContext, requestIdContext, type Services, servicesContext } from '#app/contracts/request-context.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { cancelRun } from '#app/engine/runs/cancel-run.ts';
import { receiveCallback } from '#app/features/triggers/receive-callback.server.ts';
import { createCallbacks } from '#app/platform/callbacks.server.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

const callbacks = createCallbacks('a secret of the test that is long enough', 'https://quorate.test');
let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
let slug: string;
/** The address that each run has sent to the peer, by its id. */
let sent: Map<string, string>;
/** Goes before the peer answers. */
let beforeAnswer: (address: string) => Promise<void>;
const peer: CallPeer = async ({ idempotencyKey, input }) => {
  sent.set(idempotencyKey.split('/')[0] ?? '', String(input.text));
  await beforeAnswer(String(input.text));
  return { output: { ok: true }, protocolVersion: '1' };
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  slug = (await runs.makeCapability(workspace, { name: 'order' })).slug;
  await runs.startWorker(peer, { callbacks });
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});
beforeEach(() => {
  sent = new Map();
  beforeAnswer = async () => undefined;
});

const order = () => ({
  id: 'order',
  name: 'Order',
  kind: 'tool',
  connection: slug,
  capability: 'order',
  input: { text: '=run.callbacks.paid' },
});
const paid = (more: object = {}) => ({ id: 'paid', name: 'Paid', kind: 'wait', mode: 'event', seconds: 3_600, ...more });
const start = async (...steps: object[]) =>
  runs.start(workspace, await runs.makeWorkflow(workspace, { steps, output: '=steps.paid.body' }));
const waiting = async (runId: string) => {
  await runs.until(runId, ['waiting']);
  return sent.get(runId) ?? '';
};

/** As another system calls an address that it was given. */
function post(address: string, body: string, from = '203.0.113.7'): Promise<Response> {
  const [run = '', step = '', signature = ''] = new URL(address).pathname.split('/').slice(2);
  const context = new RouterContextProvider();
  context.set(servicesContext, {
    access: { asNobody: database.database.app },
    engine: { callbacks, enqueueRun: runs.enqueueRun },
  } as unknown as Services);
  context.set(clientContext, { address: from } as never);
  context.set(requestIdContext, 'r1');
  return receiveCallback({ request: new Request(address, { method: 'POST', body }), params: { run, step, signature }, context });
}

test('the run goes on with what came to the address that an earlier step has sent', async () => {
  const runId = await start(order(), paid());
  const address = await waiting(runId);
  expect(address).toMatch(new RegExp(`^https://quorate\\.test/callbacks/${runId}/paid/[\\w-]{32}$`));
  const answer = await post(address, '{"amount": 12.5}');
  expect([answer.status, await answer.json()]).toEqual([202, { state: 'received' }]);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: { amount: 12.5 } });
  const [, row] = await runs.steps(runId);
  expect(row).toMatchObject({ status: 'success', output: { body: { amount: 12.5 }, at: expect.stringMatching(/^\d{4}-.*Z$/) } });
});

test('inside a loop each item has an address of its own, and a repeated step one for each round', async () => {
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: '=["a", "b", "c"]', atOnce: 3, collect: '=steps.paid.body' };
  const inner = { ...order(), input: { text: '=item & " " & run.callbacks.paid' } };
  const addresses = new Map<string, string>();
  beforeAnswer = async (text) => void addresses.set(text.slice(0, 1), text.slice(2));
  const runId = await start({ ...loop, branches: [{ label: 'each', steps: [inner, paid()] }] });
  await runs.until(runId, ['waiting']);
  expect(new Set(addresses.values()).size).toBe(3);
  expect(addresses.get('b')).toContain(`/callbacks/${runId}/lines~1~paid/`);
  for (const item of ['c', 'a', 'b']) expect((await post(addresses.get(item) ?? '', `"paid ${item}"`)).status).toBe(202);
  await runs.until(runId, ['completed', 'failed']);
  const each = (await runs.steps(runId)).find(({ path }) => path === 'lines');
  expect(each?.output).toMatchObject({ ok: 3, results: ['paid a', 'paid b', 'paid c'] });
  // An item's address is for it alone, and says so once it is over.
  const forged = (addresses.get('b') ?? '').replace('lines~1~paid', 'lines~0~paid');
  expect((await post(forged, '{}', '198.51.100.7')).status).toBe(404);
  const rounds = { id: 'again', name: 'Again', kind: 'repeat', rounds: 2, until: '=steps.paid.body = "yes"' };
  const asked: string[] = [];
  beforeAnswer = async (text) => {
    asked.push(text);
    expect((await post(text, asked.length === 1 ? '"no"' : '"yes"')).status).toBe(202);
  };
  const repeated = await start({ ...rounds, branches: [{ label: 'round', steps: [order(), paid()] }] });
  await runs.until(repeated, ['completed', 'failed']);
  expect(asked.map((address) => address.split('/').at(-2))).toEqual(['again~0~paid', 'again~1~paid']);
  expect((await runs.steps(repeated))[0]?.output).toMatchObject({ rounds: 2, done: true });
});

test('an item that has ended takes no event any longer', async () => {
  const addresses: string[] = [];
  beforeAnswer = async (text) => void addresses.push(text);
  const loop = { id: 'lines', name: 'Lines', kind: 'for_each', items: '=[1, 2]', atOnce: 2, onItemError: 'continue' };
  const slow = { id: 'rest', name: 'Rest', kind: 'wait', seconds: 3_600 };
  const runId = await start({ ...loop, branches: [{ label: 'each', steps: [order(), paid({ seconds: 1 })] }] }, slow);
  await expect
    .poll(async () => (await runs.steps(runId)).find(({ path }) => path === 'lines')?.status, { timeout: 20_000 })
    .toBe('success');
  expect(addresses).toHaveLength(2);
  expect((await post(addresses[0] ?? '', '{}')).status).toBe(410);
});

test('an event that comes before the run gets to the step is not lost', async () => {
  beforeAnswer = async (address) => expect((await post(address, '"early"')).status).toBe(202);
  const runId = await start(order(), paid());
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: 'early' });
});

test('the first event counts: what comes again changes nothing, and what comes late is told so', async () => {
  const runId = await start(order(), paid(), { id: 'rest', name: 'Rest', kind: 'wait', mode: 'for', seconds: 3_600 });
  const address = await waiting(runId);
  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => post(address, String(n))));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
  expect((await Promise.all(answers.map((answer) => answer.json()))).filter(({ state }) => state === 'received')).toHaveLength(1);
  await expect.poll(async () => (await runs.steps(runId))[1]?.status).toBe('success');
  const [, row] = await runs.steps(runId);
  expect((await post(address, '9')).status).toBe(202);
  expect((await runs.steps(runId))[1]?.output).toEqual(row?.output);
  await runs.asMember(workspace, workspace.builder, async (db) => ({
    result: null,
    event: await cancelRun(db, { enqueueRun: runs.enqueueRun }, { workspaceId: workspace.id, runId, memberId: workspace.builder.id }),
  }));
  await runs.until(runId, ['cancelled']);
});

test('a run that has ended without its event says so to whoever comes late', async () => {
  const runId = await start(order(), paid({ seconds: 1 }));
  const address = await waiting(runId);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'failed', error: { key: 'eventTimeout' } });
  expect((await post(address, '{}')).status).toBe(410);
});

test.each<[string, (address: string) => string]>([
  ['a forged signature', (address) => `${address.slice(0, -4)}AAAA`],
  ['another step of the run', (address) => address.replace('/paid/', '/order/')],
  ['another run', (address) => address.replace(/callbacks\/[^/]+/, 'callbacks/00000000-0000-7000-8000-000000000000')],
  ['no run at all', (address) => address.replace(/callbacks\/[^/]+/, 'callbacks/x')],
  ['a signature cut short', (address) => address.slice(0, -1)],
])('refuses %s', async (_what, change) => {
  const runId = await start(order(), paid());
  const address = await waiting(runId);
  expect((await post(change(address), '{}', '198.51.100.9')).status).toBe(404);
  expect((await runs.run(runId)).status).toBe('waiting');
});

test('a body that is no JSON or nested without end is refused, and the step goes on waiting', async () => {
  const runId = await start(order(), paid());
  const address = await waiting(runId);
  for (const body of ['amount=1', '['.repeat(5_000) + ']'.repeat(5_000)]) expect((await post(address, body)).status).toBe(400);
  expect((await post(address, '')).status).toBe(202);
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed' });
  expect((await runs.steps(runId))[1]?.output).toMatchObject({ body: null });
});
