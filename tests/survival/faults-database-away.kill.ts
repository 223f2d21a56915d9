/** The database goes away in the middle of calls: programs get 503 as RFC 9457 has it, people a calm page with what they typed. */
import { expect, test } from 'vitest';
import { addKey } from '#tests/survival/support/add-key.ts';
import type { Instance } from '#tests/survival/support/instance.ts';
import type { Person } from '#tests/survival/support/person.ts';
import { postmastersOf } from '#tests/survival/support/processes.ts';
import { prepareStage } from '#tests/survival/support/stage.ts';
import { until } from '#tests/survival/support/until.ts';

let instance: Instance;
let builder: Person;
let workflow: string;
let key: string;
prepareStage({}, async (stage) => {
  ({ instance, builder } = stage);
  workflow = await stage.workspace.addWorkflow([{ id: 't', name: 'T', kind: 'transform', expression: '1' }]);
  key = await addKey(instance, stage.workspace.workspaceId, ['runs:read', 'runs:start']);
});

const hook = '/hooks/0190c0de-0000-7000-8000-000000000000';
const signed = { 'webhook-id': 'msg_1', 'webhook-signature': 'v1,AAAA' };
const program = (path: string, body?: unknown, more: Record<string, string> = {}) =>
  fetch(`${instance.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...more },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const calls = () => [
  program('/api/v1/key'),
  program('/api/v1/runs'),
  program('/api/v1/runs', { workflowId: workflow, input: {} }),
  program('/mcp/nowhere', { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  program('/a2a', { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: {} }),
  program(hook, {}, { ...signed, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) }),
];

test('whatever is refused for it says 503, why and when to come back, and nothing typed is lost', async () => {
  const [database] = postmastersOf(instance.dataDirectory);
  if (database === undefined) throw new Error('no database');
  process.kill(database.pid, 'SIGKILL');
  const away: Response[] = [];
  const pages: { status: number; retryAfter: string | null; text: string }[] = [];
  await until('the database is back', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, calls).flat());
    for (const answer of answers) {
      if (answer.status >= 500) away.push(answer);
      else await answer.body?.cancel();
    }
    const page = await builder.post('/dashboard/workflows/new', { name: 'Typed before the outage', description: 'Kept & whole' });
    pages.push({ status: page.status, retryAfter: page.headers.get('Retry-After'), text: await page.text() });
    return away.length > 0 && (await fetch(`${instance.origin}/healthz`)).status === 200;
  });
  expect(away.length).toBeGreaterThan(0);
  for (const answer of away) {
    expect([answer.status, answer.headers.get('Content-Type'), Number(answer.headers.get('Retry-After')) > 0]).toEqual([
      503,
      'application/problem+json',
      true,
    ]);
    expect(await answer.json()).toMatchObject({ status: 503, code: 'unavailable' });
  }
  for (const page of pages.filter(({ status }) => status >= 500)) {
    expect(page).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
    expect(page.text).toContain('value="Typed before the outage"');
    expect(page.text).toContain('value="Kept &amp; whole"');
    expect(page.text).toContain('Nothing was changed');
  }
});
