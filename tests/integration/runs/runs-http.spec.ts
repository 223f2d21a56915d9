/** A request to an HTTP API, from the step's fields to what the peer gets and later steps read. How it goes over the wire is in apps.spec. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import type { CallPeer } from '#app/engine/connections/peer.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let database: TestDatabase;
let runs: RunFixture;
let workspace: Workspace;
const sent: { [name: string]: Json }[] = [];
const api: CallPeer = async ({ input }) => {
  sent.push(input);
  return { output: { status: 200, headers: {}, body: { total: 3 } }, protocolVersion: '' };
};

beforeAll(async () => {
  database = await createTestDatabase();
  runs = await createRunFixture(database);
  workspace = await runs.makeWorkspace();
  await runs.startWorker(api);
});
afterAll(async () => {
  await runs?.close();
  await database?.close();
});

test('the values of its lists go as objects, one that nothing was found for is left out, and the answer is at hand', async () => {
  const { slug } = await runs.makeCapability(workspace, { name: 'post' });
  const request = {
    id: 'order',
    name: 'Order',
    kind: 'http',
    connection: slug,
    capability: 'post',
    input: {
      path: '="/orders/" & input.id',
      'query.page': '=1 + 1',
      'query.missing': '=input.nothing',
      'headers.X-Trace': '=run.mode',
      body: '={"id": input.id}',
      expect: '200-299, 404',
    },
  };
  const workflow = await runs.makeWorkflow(workspace, {
    input: [{ name: 'id', title: 'Id', type: 'text' }],
    steps: [request],
    output: '=steps.order.body.total',
  });
  const runId = await runs.start(workspace, workflow, { id: '7' });
  expect(await runs.until(runId, ['completed', 'failed'])).toMatchObject({ status: 'completed', output: 3 });
  expect(sent).toEqual([
    { path: '/orders/7', body: { id: '7' }, expect: '200-299, 404', query: { page: 2 }, headers: { 'X-Trace': 'live' } },
  ]);
  const [step] = await runs.steps(runId);
  expect(step).toMatchObject({ kind: 'http', status: 'success', input: sent[0], reason: { values: { leftOut: 'query.missing' } } });
});
