/** Bursts with valid and with junk keys from one address: a known key is refused for its own pace alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addKey } from '#tests/survival/support/add-key.ts';
import { arrangeIn } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';

const LIMIT = 600;
const WINDOW_SECONDS = 60;
const DOORS = ['/api/v1/key', '/mcp/nowhere', '/a2a'] as const;

let instance: Instance;
let workspaceId: string;
let workflow: string;
beforeAll(async () => {
  instance = await createInstance({ TRUST_PROXY: 'loopback' });
  await instance.start();
  const workspace = await arrangeIn(instance);
  ({ workspaceId } = workspace);
  workflow = await workspace.addWorkflow([{ id: 't', name: 'T', kind: 'transform', expression: '1' }]);
}, 180_000);
afterAll(async () => {
  await instance?.remove();
});

type Answer = { status: number; type: string | null; retryAfter: number };
async function call(path: string, key: string, { from = '192.0.2.1', body }: { from?: string; body?: unknown } = {}): Promise<Answer> {
  const response = await fetch(`${instance.origin}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'x-forwarded-for': from,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await response.arrayBuffer();
  return { status: response.status, type: response.headers.get('Content-Type'), retryAfter: Number(response.headers.get('Retry-After')) };
}
const newKey = () => addKey(instance, workspaceId, ['runs:read', 'runs:start']);
const start = (key: string) => call('/api/v1/runs', key, { body: { workflowId: workflow, input: {} } });
const counts = (answers: readonly Answer[]) =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, same]) => [status, same.length]));

test('200 starts at once with 20 keys are 200 runs', async () => {
  const keys = await Promise.all(Array.from({ length: 20 }, newKey));
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => start(keys[n % 20] ?? '')));
  expect(counts(answers)).toEqual({ 201: 200 });
});

test('720 calls in a minute with a pace of 600: exactly the surplus is refused, and told honestly how long', async () => {
  const key = await newKey();
  const began = Date.now();
  const answers: Answer[] = [];
  for (let n = 0; n < 720; n += 40) answers.push(...(await Promise.all(Array.from({ length: 40 }, () => call('/api/v1/key', key)))));
  const tookSeconds = (Date.now() - began) / 1_000;
  expect(counts(answers)).toEqual({ 200: LIMIT, 429: 120 });
  for (const { status, type, retryAfter } of answers.filter((one) => one.status === 429)) {
    expect([status, type]).toEqual([429, 'application/problem+json']);
    expect(retryAfter).toBeGreaterThanOrEqual(Math.floor(WINDOW_SECONDS - tookSeconds));
    expect(retryAfter).toBeLessThanOrEqual(WINDOW_SECONDS);
  }
  // The window that its first call began is over: as the database sees it, for the test does not wait.
  const asked = performance.now();
  const [waited] = await instance.query<{ seconds: number }>(
    `select extract(epoch from window_started_at + make_interval(secs => ${WINDOW_SECONDS}) - clock_timestamp())::float8 as seconds
     from quorate.rate_limits where key like 'keyPace:%' and hits > ${LIMIT}`,
  );
  const next = await call('/api/v1/key', key);
  // Both may have stood in line: as long as they took, so much less is left.
  expect(next.retryAfter).toBeLessThanOrEqual((waited?.seconds ?? 0) + 2);
  expect(next.retryAfter).toBeGreaterThanOrEqual((waited?.seconds ?? 0) - (performance.now() - asked) / 1_000 - 2);
  await instance.query(`update quorate.rate_limits set window_started_at = window_started_at - interval '61 s' where key like 'keyPace:%'`);
  expect((await call('/api/v1/key', key)).status).toBe(200);
});

test('the pace is what the workspace has chosen', async () => {
  const set = (settings: object) =>
    instance.query(
      `with change as (update quorate.workspaces set settings = $2 where id = $1 returning 1),
       event as (insert into quorate.audit_events (id, workspace_id, actor_kind, action, resource_kind, resource_id)
         select gen_random_uuid(), $1, 'system', 'test.arranged', 'workspace', $1::text) select 1`,
      [workspaceId, JSON.stringify(settings)],
    );
  await set({ paces: { keys: 5, hooks: 5 } });
  const key = await newKey();
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('/api/v1/key', key)));
  await set({});
  expect(counts(answers)).toEqual({ 200: 5, 429: 3 });
});

describe('junk keys', () => {
  test.each(DOORS)('31 of them at %s, then a good key from the same address', async (path) => {
    const from = `198.51.100.${DOORS.indexOf(path) + 1}`;
    const good = await newKey();
    const junk = Array.from({ length: 31 }, (_, n) => (n % 2 === 0 ? `qk_${'x'.repeat(41)}${String(n).padStart(2, '0')}` : `junk-${n}`));
    const answers: Answer[] = [];
    for (const key of junk) answers.push(await call(path, key, { from }));
    expect(counts(answers)).toEqual({ 401: 30, 429: 1 });
    expect(answers.at(-1)?.retryAfter).toBeGreaterThan(800);
    expect((await call('/api/v1/key', good, { from })).status).toBe(200);
    expect([401, 429]).not.toContain((await call(path, good, { from })).status);
  });

  test('200 at once keep no good key waiting for its turn to be refused', async () => {
    const from = '198.51.100.200';
    const good = await newKey();
    const all = Array.from({ length: 200 }, (_, n) => call('/api/v1/key', `qk_${'y'.repeat(40)}${String(n).padStart(3, '0')}`, { from }));
    const known = await Promise.all(Array.from({ length: 20 }, () => call('/api/v1/key', good, { from })));
    expect(counts(known)).toEqual({ 200: 20 });
    expect(counts(await Promise.all(all))).toEqual({ 401: 30, 429: 170 });
  });
});
