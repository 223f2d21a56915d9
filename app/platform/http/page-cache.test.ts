/** The rules of cached pages, over plain HTTP: which pages, for whom, and that nothing of one visitor ever reaches another. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '#app/platform/env.server.ts';
import { createPageCache, inlineScriptHashes, type PageCacheOptions } from '#app/platform/http/page-cache.ts';
import { createWebApp } from '#app/platform/http/web-app.ts';

const SESSION = 'sb-test-auth-token';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };
const HTML = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Language': 'en' };

type Drawn = { address: string; headers: Record<string, string> };
let drawn: Drawn[] = [];
let now = Date.parse('2026-11-20T12:00:00Z');
let draw: PageCacheOptions['render'];
/** A page that tells all it knows of whoever asked. */
const telling: PageCacheOptions['render'] = async (address, headers) =>
  new Response(`<!doctype html><script>1</script><p>${address} ${JSON.stringify(headers)}</p>${'x'.repeat(2_000)}`, { headers: HTML });

async function serve(origin: string): Promise<Server> {
  const options: PageCacheOptions = {
    log,
    secure: origin.startsWith('https:'),
    sessionCookie: SESSION,
    languageOf: async (cookie, header) => (cookie === 'de' || (cookie === null && header.startsWith('de')) ? 'de' : 'en'),
    render: (address, headers) => {
      drawn.push({ address, headers });
      return draw(address, headers);
    },
    now: () => now,
  };
  const kept = createPageCache(options);
  const made = createServer(
    createWebApp({
      env: readEnv({ QUORATE_DATA_DIR: '/nowhere', QUORATE_URL: origin }),
      log,
      modules: { kind: 'built', clientDirectory: '/nowhere' },
      healthy: async () => true,
      // The product itself: it answers each visitor with what they sent.
      pages: () => (request, response) => {
        response
          .status(request.path === '/gone' ? 404 : 200)
          .type('html')
          .send(`own ${request.headers.cookie ?? ''}`);
      },
      pageCache: () => kept,
    }),
  );
  await new Promise<void>((ready) => made.listen(0, '127.0.0.1', ready));
  return made;
}

let server: Server;
let secure: Server;
beforeAll(async () => {
  server = await serve('http://localhost:3000');
  secure = await serve('https://quorate.bank.example');
});
afterAll(() => {
  server.close();
  secure.close();
});
beforeEach(() => {
  drawn = [];
  draw = telling;
  // Entries from before this are out of date.
  now += 2 * 60 * 60_000;
});

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', asked = server): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { port } = asked.address() as AddressInfo;
    const outgoing = send({ host: '127.0.0.1', port, path, method, headers: { host: 'localhost:3000', ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.once('end', () => {
        const bytes = Buffer.concat(parts);
        const { 'content-encoding': encoding } = response.headers;
        const plain = encoding === 'br' ? brotliDecompressSync(bytes) : encoding === 'gzip' ? gunzipSync(bytes) : bytes;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: plain.toString() });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(method === 'POST' ? 'a=b' : undefined);
  });
}

describe('a public page', () => {
  test('is drawn once for all who ask alike, also when they ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/', { cookie: 'theme=dark' })));
    answers.push(await ask('/', { cookie: 'tz=Europe%2FBerlin; theme=dark; other=mine' }));
    expect(drawn).toHaveLength(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    now += 61 * 60_000;
    await ask('/', { cookie: 'theme=dark' });
    expect(drawn).toHaveLength(2);
  });

  test('is sent in the encoding that was asked for, with the policy of its own scripts, and as 304 to whoever has it', async () => {
    const whole = await ask('/');
    const br = await ask('/', { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await ask('/', { 'accept-encoding': 'gzip;q=1.0, br;q=0' });
    expect([whole, br, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip']);
    expect(br.text).toBe(whole.text);
    expect(gzip.text).toBe(whole.text);
    expect(whole.headers['content-security-policy']).toContain("script-src 'self' 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s=';");
    expect(whole.headers['content-security-policy']).not.toContain('nonce');
    expect(whole.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'private, no-cache' });
    expect(whole.headers['x-request-id']).not.toBe(br.headers['x-request-id']);
    const tag = br.headers.etag ?? expect.fail('no tag');
    const again = await ask('/', { 'accept-encoding': 'br', 'if-none-match': `"other", W/${tag}` });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', tag]);
    expect((await ask('/', { 'accept-encoding': 'gzip', 'if-none-match': tag })).status).toBe(200);
    const head = await ask('/', {}, 'HEAD');
    expect([head.status, head.text, head.headers['content-length']]).toEqual([200, '', String(Buffer.byteLength(whole.text))]);
  });

  test('keeps a language that its address names, and draws that without setting a cookie', async () => {
    const { headers, text } = await ask('/?lng=de', { cookie: 'consent=gdpr%3Don%20ccpa%3Doff' });
    expect(headers['set-cookie']).toEqual(['lng=de; Path=/; SameSite=Lax']);
    expect(text).toContain('/?lng=de');
    expect((await ask('/?lng=de')).headers['set-cookie']).toEqual(['lng=de; Path=/; Max-Age=31536000; SameSite=Lax']);
    expect((await ask('/', { 'accept-language': 'de-AT' })).headers['set-cookie']).toBeUndefined();
  });

  test('over https sends the cookie of its language over https only', async () => {
    const { status, headers } = await ask('/?lng=de', { host: 'quorate.bank.example' }, 'GET', secure);
    expect([status, headers['set-cookie']]).toEqual([200, ['lng=de; Path=/; Max-Age=31536000; SameSite=Lax; Secure']]);
  });

  const PERSONAL: [string, string, Record<string, string>, string?][] = [
    ['a session', '/', { cookie: `${SESSION}=x` }],
    ['a part of a session', '/', { cookie: `a=b; ${SESSION}.1=x` }],
    ['a message to show', '/', { cookie: 'notice=x' }],
    ['a key', '/', { authorization: 'Bearer x' }],
    ['another query', '/?utm_source=x', {}],
    ['a language twice', '/?lng=de&lng=en', {}],
    ['an unknown language', '/?lng=xx', {}],
    ['a page that is not public', '/dashboard', {}],
    ['data of a page', '/_root.data', {}],
    ['a form', '/', { 'content-type': 'application/x-www-form-urlencoded' }, 'POST'],
  ];
  test.each(PERSONAL)('is neither given to nor filled by a request with %s', async (_, path, headers, method) => {
    await ask('/');
    const { text, headers: answered } = await ask(path, headers, method);
    expect(text).toMatch(/^own/);
    expect(answered.etag).toBeUndefined();
    expect(drawn).toHaveLength(1);
  });

  const UNUSABLE: [string, ResponseInit][] = [
    ['that sets a cookie', { headers: { ...HTML, 'Set-Cookie': 'a=b' } }],
    ['that is not 200', { status: 404, headers: HTML }],
    ['that redirects', { status: 302, headers: { ...HTML, Location: '/auth' } }],
    ['with a part that failed', { headers: { ...HTML, 'Cache-Control': 'private, no-store' } }],
    ['that is no page', { headers: { 'Content-Type': 'text/plain' } }],
  ];
  test.each(UNUSABLE)('%s is never kept, nor drawn over and over', async (_, init) => {
    draw = async () => new Response('drawn', init);
    for (let n = 0; n < 3; n += 1) expect((await ask('/')).text).toMatch(/^own/);
    expect(drawn).toHaveLength(1);
    now += 11_000;
    draw = telling;
    expect((await ask('/')).text).toContain('<!doctype');
  });

  test('that cannot be drawn is answered as any other', async () => {
    draw = () => Promise.reject(new Error('no'));
    expect((await ask('/')).text).toMatch(/^own/);
  });
});

test('no visitor ever sees anything of another, in whatever order they come', async () => {
  const secret = fc.stringMatching(/^mine-[a-z]{8}$/);
  const visit = fc.record({
    path: fc.constantFrom('/', '/?lng=de', '/?lng=ar', '/newsletter', '/auth', '/?q=1'),
    secret,
    session: fc.boolean(),
    notice: fc.boolean(),
    language: fc.constantFrom('', 'lng=de', 'lng=en'),
    theme: fc.option(fc.constantFrom('light', 'dark', 'system', 'evil')),
    consent: fc.constantFrom('', 'consent=gdpr%3Don%20ccpa%3Doff', 'consent=gdpr%3Doff%20ccpa%3Don'),
    signal: fc.boolean(),
    accepted: fc.constantFrom('de', 'en', 'fr;q=0.1'),
    forwarded: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 2, maxLength: 12 }), async (visits) => {
      const seen = new Map<string, string>();
      for (const { path, secret: own, session, notice, language, theme, consent, signal, accepted, forwarded } of visits) {
        const personal = session ? `${SESSION}=${own}` : notice ? `notice=${own}` : '';
        const cookie = [`tz=${own}`, personal, language, theme === null ? '' : `theme=${theme}`, consent].filter(Boolean).join('; ');
        const answer = await ask(path, {
          cookie,
          'accept-language': accepted,
          'user-agent': own,
          referer: `http://localhost:3000/${own}`,
          ...(signal ? { 'sec-gpc': '1' } : {}),
          ...(forwarded ? { 'x-forwarded-host': 'localhost:3000' } : {}),
        });
        const kept = answer.headers.etag !== undefined;
        expect(kept).toBe(!session && !notice && path !== '/auth' && path !== '/?q=1');
        if (!kept) expect(answer.text).toBe(`own ${cookie}`);
        else {
          expect(answer.text).not.toContain('mine-');
          // The same settings, the same bytes; other settings, other bytes.
          const settings = JSON.stringify([path, path.includes('lng') ? '' : language || accepted.slice(0, 2), theme, consent, signal]);
          const normal = settings
            .replace(/"(?:lng=)?(?:en|fr)"/, '"en"')
            .replace('lng=de', 'de')
            .replace(/"evil"|null/, '"system"');
          expect(answer.text).toBe(seen.get(normal) ?? answer.text);
          seen.set(normal, answer.text);
          expect(answer.text).toContain(signal ? 'Sec-GPC' : 'Accept');
        }
      }
      expect(new Set(seen.values()).size).toBe(seen.size);
    }),
    { numRuns: 40 },
  );
});

test('the policy names each script of the page, and nothing that is none', () => {
  const page =
    '<script>a</script><script type="module" async="">b</script><script src="/x.js"></script><script type="application/ld+json">{}</script>';
  const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  expect(inlineScriptHashes(page)).toEqual([sha256('a'), sha256('b')]);
});
