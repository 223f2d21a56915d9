/** Checks before every page, over plain HTTP: headers, refusals and files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { arrivalIn, createWebApp } from '#app/platform/http/web-app.ts';

const files = mkdtempSync(join(tmpdir(), 'quorate-files-'));
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
let calls: string[] = [];
let secured: boolean | undefined;
let address: string | undefined;
const pages: RequestHandler = (request, response) => {
  calls.push(`${request.method} ${request.path}`);
  ({ secure: secured, address } = arrivalIn(response));
  if (request.path === '/broken') throw new Error('a secret of the server');
  response
    .status(request.path === '/' ? 200 : 404)
    .type('html')
    .send('<!doctype html><title>page</title>');
};

type Served = { server: Server; port: number };
async function serve(settings: Record<string, string>, { log: heard = log, healthy = async () => true } = {}): Promise<Served> {
  const env = readEnv({ QUORATE_DATA_DIR: files, ...settings });
  const modules = { kind: 'built' as const, clientDirectory: join(files, 'client') };
  const server = createServer(createWebApp({ env, log: heard, modules, healthy, pages: () => pages }));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return { server, port: (server.address() as AddressInfo).port };
}

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
/** As bytes on the wire: `fetch` would not send a foreign Host, nor TRACE, nor an address with dots. */
function ask({ port }: Served, method: string, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = send({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    outgoing.once('error', reject);
    outgoing.end(method === 'POST' ? 'a=b' : undefined);
  });
}

let local: Served;
let secure: Served;
beforeAll(async () => {
  mkdirSync(join(files, 'client', 'assets'), { recursive: true });
  writeFileSync(join(files, 'client', 'assets', 'app-1234.js'), 'export {};');
  mkdirSync(join(files, 'client', 'verifier'));
  writeFileSync(join(files, 'client', 'verifier', 'quorate-verify.html'), '<!doctype html>');
  mkdirSync(join(files, 'client', 'assets', 'texts', 'en'), { recursive: true });
  for (const name of ['common', 'errors'])
    writeFileSync(join(files, 'client', 'assets', 'texts', 'en', `${name}.json`), `{"is":"${name}"}`);
  writeFileSync(join(files, 'secret.txt'), 'a secret beside the files');
  local = await serve({ QUORATE_URL: 'http://localhost:3000' });
  secure = await serve({ QUORATE_URL: 'https://quorate.bank.example', TRUST_PROXY: 'loopback', HOST: '127.0.0.1' });
});
afterAll(() => {
  local.server.close();
  secure.server.close();
  rmSync(files, { recursive: true, force: true });
});

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const HOST = { host: 'quorate.bank.example' };
const KINDS = [
  ['a page', 'GET', '/'],
  ['data', 'GET', '/runs.data'],
  ['what is not there', 'GET', '/nothing'],
  ['a file that is not there', 'GET', '/assets/none.js'],
  ['an error', 'GET', '/broken'],
  ['a refusal', 'PUT', '/'],
  ['the health', 'GET', '/healthz'],
] as const;

describe('every answer', () => {
  test.each(KINDS)('carries the headers of a careful server: %s', async (_, method, path) => {
    const { headers, text } = await ask(secure, method, path, HOST);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['permissions-policy']).toContain('camera=()');
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const policy = headers['content-security-policy'];
    for (const rule of ["object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    expect(text).not.toContain('a secret of the server');
    expect(text).not.toMatch(/\bat .*\.ts:\d+/);
  });

  test.each([
    ['/assets/app-1234.js', {}],
    ['/assets/texts/en/common.json', {}],
    ['/assets/texts/en/common+errors.json', {}],
    ['/assets/app-1234.js', { 'if-none-match': '*' }],
  ])('has what means something to it, where it is a file: %s %o', async (path, more) => {
    const { headers } = await ask(secure, 'GET', path, { ...HOST, ...more });
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}/);
    expect(headers['cache-control']).toContain('immutable');
    for (const name of ['content-security-policy', 'permissions-policy', 'referrer-policy', 'cross-origin-opener-policy'])
      expect(headers[name], name).toBeUndefined();
  });

  test('has a nonce of its own', async () => {
    const nonces = await Promise.all(
      Array.from(
        { length: 3 },
        async () => /'nonce-([^']+)'/.exec(String((await ask(local, 'GET', '/')).headers['content-security-policy']))?.[1],
      ),
    );
    expect(new Set(nonces).size).toBe(3);
    expect(nonces).not.toContain(undefined);
  });

  test('leaves the page that verifies evidence its own rules, and lets nobody frame it', async () => {
    const { status, headers } = await ask(local, 'GET', '/verifier/quorate-verify.html');
    expect([status, headers['content-security-policy'], headers['x-content-type-options']]).toEqual([
      200,
      "frame-ancestors 'none'",
      'nosniff',
    ]);
  });

  test('over http asks for no https', async () => {
    expect((await ask(local, 'GET', '/')).headers['strict-transport-security']).toBeUndefined();
  });
});

describe('figures', () => {
  const TOKEN = 'a-token-for-the-figures';
  const bearer = { authorization: `Bearer ${TOKEN}` };

  test('are told under any name of the machine to whoever has the token, with every request that was answered', async () => {
    const watched = await serve({ QUORATE_URL: 'https://quorate.bank.example', QUORATE_METRICS_TOKEN: TOKEN });
    try {
      for (const path of ['/', '/nothing', '/runs.data', '/livez']) await ask(watched, 'GET', path, HOST);
      const { status, headers, text } = await ask(watched, 'GET', '/metrics', { host: '10.0.0.7:3000', ...bearer });
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
        'no-store',
      ]);
      expect(text).toContain('quorate_http_requests_total{kind="page",status="2xx"} 1\n');
      expect(text).toContain('quorate_http_requests_total{kind="page",status="4xx"} 1\n');
      expect(text).toContain('quorate_http_request_duration_seconds_count{kind="data"} 1\n');
      for (const authorization of ['', 'Bearer other', TOKEN]) {
        const refused = await ask(watched, 'GET', '/metrics', { authorization });
        expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer']);
        expect(refused.text).not.toContain('quorate_http');
      }
    } finally {
      watched.server.close();
    }
  });

  test('are an address that there is not where no token is set, and no way around the check of the host', async () => {
    expect((await ask(secure, 'GET', '/metrics', { ...HOST, ...bearer })).status).toBe(404);
    expect((await ask(secure, 'GET', '/metrics', { host: 'evil.example', ...bearer })).status).toBe(421);
  });
});

describe('texts', () => {
  test('of several namespaces are one file, kept for good, or one each', async () => {
    const { status, headers, text } = await ask(local, 'GET', '/assets/texts/en/common+errors.json?v=1');
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(text)).toEqual({ common: { is: 'common' }, errors: { is: 'errors' } });
    expect(JSON.parse((await ask(local, 'GET', '/assets/texts/en/common.json')).text)).toEqual({ is: 'common' });
  });

  test.each(['errors+common', 'common+common', 'common+secret', 'common+', '+', 'common+..%2f..%2fsecret', 'common+errors+'])(
    'are no others: %s',
    async (names) => {
      expect((await ask(local, 'GET', `/assets/texts/en/${names}.json`)).status).toBe(404);
      expect((await ask(local, 'GET', `/assets/texts/xx/common+errors.json`)).status).toBe(404);
    },
  );
});

test.each([
  '/.env',
  '/.git/config',
  '/package.json',
  '/build/server/server.js',
  '/supabase/config.toml',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e%2f%2e%2e%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
])('%s is no file of ours', async (path) => {
  const { status, text } = await ask(local, 'GET', path);
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(text).not.toContain('a secret');
});

describe('a form of another site', () => {
  const senders = [
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin that has a name', { origin: 'null' }],
    ['nobody, across sites', { 'sec-fetch-site': 'cross-site' }],
    ['the same host without encryption', { origin: 'http://quorate.bank.example' }],
  ] as const;
  test.each(senders.flatMap(([name, headers]) => ['/auth', '/auth.data', '/auth/calls'].map((path) => [name, path, headers] as const)))(
    'from %s is refused at %s',
    async (_, path, headers) => {
      calls = [];
      expect((await ask(secure, 'POST', path, { ...HOST, ...FORM, ...headers })).status).toBe(403);
      expect(calls).toEqual([]);
    },
  );

  test('and an answer of a provider is taken at its address alone', async () => {
    calls = [];
    const sent = { ...HOST, ...FORM, origin: 'https://login.example' };
    const acs = '/sign-in/company/saml/01a21dcb-67d0-74c1-920b-e42edc96d19b/acs';
    expect((await ask(secure, 'POST', acs, sent)).status).not.toBe(403);
    expect(calls).toEqual([`POST ${acs}`]);
    for (const other of [acs.replace('acs', 'finish'), `${acs}/..`, `${acs}.data`, '/sign-in/company/saml/a/acs', '/sign-in/company'])
      expect((await ask(secure, 'POST', other, sent)).status).toBe(403);
    expect((await ask(secure, 'POST', acs, { ...sent, 'content-type': 'application/json' })).status).toBe(415);
  });

  test('and one of this site is taken, behind the proxy that ends TLS', async () => {
    calls = [];
    const headers = { ...FORM, origin: 'https://quorate.bank.example', host: 'internal:3000' };
    const forwarded = { 'x-forwarded-host': 'quorate.bank.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' };
    expect((await ask(secure, 'POST', '/auth', { ...headers, ...forwarded })).status).not.toBe(403);
    expect(calls).toEqual(['POST /auth']);
  });
});

test.each(['text/plain', 'application/json', 'multipart/mixed', 'application/x-www-form-urlencodedx', ''])(
  'a post of type "%s" is not taken',
  async (type) => {
    calls = [];
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    expect((await ask(local, 'POST', '/auth', headers)).status).toBe(415);
    expect(calls).toEqual([]);
  },
);

test.each(['TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'])('%s is no method of a page', async (method) => {
  expect((await ask(local, method, '/')).status).toBe(405);
});

test('a method in a header or a field is not listened to', async () => {
  calls = [];
  await ask(local, 'POST', '/?_method=DELETE', { ...FORM, 'x-http-method-override': 'DELETE' });
  expect(calls).toEqual(['POST /']);
});

test.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'quorate.bank.example@evil.example'])(
  'the host %s is not this instance',
  async (host) => {
    calls = [];
    for (const served of [local, secure]) {
      const answer = await ask(served, 'GET', '/', { host });
      expect([400, 421]).toContain(answer.status);
      expect(answer.headers.location).toBeUndefined();
    }
    expect(calls).toEqual([]);
  },
);

test('cookies are for https where the public origin is https, whatever a header says of the last hop', async () => {
  for (const proto of ['http', 'https']) {
    await ask(local, 'GET', '/', { 'x-forwarded-proto': proto });
    expect(secured).toBe(false);
    await ask(secure, 'GET', '/', { ...HOST, 'x-forwarded-proto': proto });
    expect(secured).toBe(true);
  }
});

test('a forwarded host counts from a trusted proxy alone', async () => {
  expect((await ask(local, 'GET', '/', { 'x-forwarded-host': 'evil.example' })).status).toBe(200);
  expect((await ask(secure, 'GET', '/', { ...HOST, 'x-forwarded-host': 'evil.example' })).status).toBe(421);
});

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['10.0.0.1, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.77, 198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['203.0.113.9, 127.0.0.1', '203.0.113.9'],
])('what a visitor forges before a trusted proxy names their address is not their address: %s', async (forwarded, real) => {
  await ask(secure, 'GET', '/', { ...HOST, 'x-forwarded-for': forwarded, 'x-real-ip': '192.0.2.1', forwarded: 'for=192.0.2.2' });
  expect(address).toBe(real);
});

test('without a trusted proxy nobody names an address at all', async () => {
  await ask(local, 'GET', '/', { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' });
  expect(address).toMatch(/^(?:::ffff:)?127\.0\.0\.1$/);
});

test('a probe of the health that is answered 200 leaves no line in the log, one that is not does', async () => {
  const lines: unknown[] = [];
  const keep = (...line: unknown[]) => void lines.push(line);
  let well = true;
  const probed = await serve(
    { QUORATE_URL: 'http://localhost:3000' },
    { log: { info: keep, warn: keep, error: keep, debug: keep }, healthy: async () => well },
  );
  for (const path of ['/healthz', '/readyz', '/livez']) {
    expect((await ask(probed, 'GET', path, { host: 'anything.example' })).status).toBe(200);
    expect((await ask(probed, 'HEAD', path)).status).toBe(200);
  }
  well = false;
  expect((await ask(probed, 'GET', '/readyz')).status).toBe(503);
  expect((await ask(probed, 'GET', '/healthz')).status).toBe(503);
  // A process whose database is away is not to be started again.
  expect((await ask(probed, 'GET', '/livez')).status).toBe(200);
  expect((await ask(probed, 'GET', '/healthz/x', { host: 'localhost:3000' })).status).toBe(404);
  // A line is written when its answer has closed, which every answer has once the server has.
  await new Promise((closed) => probed.server.close(closed));
  expect(lines).toEqual([
    ['request', expect.objectContaining({ path: '/readyz', status: 503 })],
    ['request', expect.objectContaining({ path: '/healthz', status: 503 })],
    ['request', expect.objectContaining({ path: '/healthz/x', status: 404 })],
  ]);
});
