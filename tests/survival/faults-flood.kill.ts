/** Floods of bytes and fields by whoever is nobody: refused before they are parsed, and who is known continues. */
import { request as send } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addKey } from '#tests/survival/support/add-key.ts';
import { arrangeIn } from '#tests/survival/support/arrange.ts';
import { createInstance, type Instance } from '#tests/survival/support/instance.ts';
import { type Person, signInAs } from '#tests/survival/support/person.ts';

const FORM = 'application/x-www-form-urlencoded';
const MB = 1_048_576;

let instance: Instance;
let builder: Person;
let auditor: Person;
let workflow: string;
let key: string;
beforeAll(async () => {
  instance = await createInstance({ TRUST_PROXY: 'loopback' });
  await instance.start();
  const workspace = await arrangeIn(instance);
  workflow = await workspace.addWorkflow([{ id: 't', name: 'T', kind: 'transform', expression: '1' }]);
  key = await addKey(instance, workspace.workspaceId, ['runs:read', 'runs:start']);
  [builder, auditor] = await Promise.all([signInAs(instance.server(), 'builder'), signInAs(instance.server(), 'auditor')]);
}, 180_000);
afterAll(async () => {
  await instance?.remove();
});

/** Where the next call comes from, as the proxy says: each its own place, unless a test is about one place. */
let places = 0;
const elsewhere = () => `198.51.100.${++places}`;

type Answer = { status: number; type: string; retryAfter: string | undefined; text: string };
type Options = { type?: string; cookie?: string; chunked?: boolean; from?: string; more?: Record<string, string> };
/** `chunked`: without a length announced. */
function post(
  path: string,
  body: string,
  { type = FORM, cookie = '', chunked = false, from = elsewhere(), more = {} }: Options = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = send(
      `${instance.origin}${path}`,
      {
        method: 'POST',
        headers: { 'content-type': type, origin: instance.origin, cookie, 'x-forwarded-for': from, ...length, ...more },
        agent: false,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.once('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: String(response.headers['content-type']),
            retryAfter: response.headers['retry-after'],
            text,
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const fields = (count: number, of = 'a=1') => Array.from({ length: count }, () => of).join('&');
const parts = (count: number) =>
  `${Array.from({ length: count }, (_, n) => `--cut\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`).join('')}--cut--\r\n`;

const PAGES = [
  '/dashboard/workflows/x/edit/json',
  '/dashboard/workflows/x/edit/json.data',
  '/dashboard/account/profile/picture',
  '/dashboard/runs',
  '/auth?mode=sign-in',
  '/auth/confirm',
  '/auth/calls',
  '/reset-password',
  '/contact',
  '/newsletter',
  '/preferences/consent',
  '/preferences/language',
];

describe('a form by nobody', () => {
  test.each(PAGES)('of 800,000 fields is too large for %s, and is not given back', async (path) => {
    const answer = await post(path, fields(800_000, 'name=abc'));
    expect(answer.status).toBe(413);
    expect(answer.text.length).toBeLessThan(100_000);
  });

  test.each(PAGES)('of 5,000 fields is refused by %s, as is one of 3,000 parts', async (path) => {
    for (const answer of [await post(path, fields(5_000)), await post(path, parts(3_000), { type: 'multipart/form-data; boundary=cut' })]) {
      expect(answer.status).toBe(400);
      expect(answer.text.length).toBeLessThan(100_000);
    }
  });

  test('without a length is counted on its way', async () => {
    expect((await post('/contact', `message=${'x'.repeat(300_000)}`, { chunked: true })).status).toBe(413);
    expect((await post('/contact', fields(5_000), { chunked: true })).status).toBe(400);
  });

  test('is told so calmly, in the reader’s language', async () => {
    const answer = await post('/contact', `message=${'x'.repeat(300_000)}`, { more: { 'accept-language': 'de' } });
    expect(answer).toMatchObject({ status: 413, type: expect.stringContaining('text/html') });
    expect(answer.text.includes('zu groß')).toBe(true);
    expect(/<html lang="(\w+)"/.exec(answer.text)?.[1]).toBe('de');
  });

  test('up to 256 KB is given back whole where the session is over', async () => {
    const typed = 'y'.repeat(250_000);
    const answer = await post('/dashboard/workflows/new', `name=${typed}`);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain(`value="${typed}"`);
  });
});

describe('a workflow as JSON', () => {
  const large = (size: number) => `document=${'x'.repeat(size)}`;
  test('of 2 MB is read for who may edit it, and for nobody else', async () => {
    const path = `/dashboard/workflows/${workflow}/edit/json`;
    expect((await post(path, large(2 * MB), { cookie: builder.cookie() })).status).toBe(400);
    expect((await post(path, large(9 * MB), { cookie: builder.cookie() })).status).toBe(413);
    expect((await post(path, large(2 * MB), { cookie: auditor.cookie() })).status).toBe(413);
    expect((await post('/dashboard/workflows/x/edit/json', large(2 * MB), { cookie: builder.cookie() })).status).toBe(413);
    expect((await post(path, large(2 * MB))).status).toBe(413);
  });

  test('has no more than 1,000 fields from a member either', async () => {
    const answer = await post(`/dashboard/workflows/${workflow}/edit/json`, fields(5_000), { cookie: builder.cookie() });
    expect(answer.status).toBe(400);
  });
});

describe('a program', () => {
  test.each(['/api/v1/runs', '/mcp/demo', '/a2a', '/a2a/demo/x', '/a2a/demo/x/rest/message:send', '/hooks/x'])(
    'that sends 2 MB to %s is refused as RFC 9457 says it',
    async (path) => {
      for (const chunked of [false, true]) {
        const answer = await post(path, JSON.stringify({ text: 'x'.repeat(2 * MB) }), { type: 'application/json', chunked });
        expect([401, 413]).toContain(answer.status);
        expect(answer.type).toContain('application/problem+json');
      }
    },
  );
});

test('an address that floods waits, and whoever is known there does not', async () => {
  const from = elsewhere();
  // Sent together: what an address may send grows again by the second, and a busy machine is slow.
  let refused: Answer | undefined;
  let signIn: Answer | undefined;
  for (let sent = 0; sent < 200 && !(refused?.status === 429 && signIn?.status === 429); sent += 1)
    [refused, signIn] = await Promise.all([
      post('/contact', `message=${'x'.repeat(250_000)}`, { from, more: { 'accept-language': 'de' } }),
      post('/auth?mode=sign-in', 'email=a', { from }),
    ]);
  expect(signIn?.status).toBe(429);
  expect(refused).toMatchObject({ status: 429, text: expect.stringMatching(/Warten Sie \d+ Sekunden/) });
  expect(Number(refused?.retryAfter)).toBeGreaterThan(0);
  expect((await post('/auth?mode=sign-in', 'email=a')).status).toBe(400);
  const member = await post(`/dashboard/workflows/${workflow}/edit/json`, 'document=x', { from, cookie: builder.cookie() });
  expect(member.status).toBe(400);
  const start = JSON.stringify({ workflowId: workflow, input: {} });
  const program = await post('/api/v1/runs', start, { from, type: 'application/json', more: { authorization: `Bearer ${key}` } });
  expect(program.status).toBe(201);
});
