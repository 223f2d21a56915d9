import { createHmac, generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccessTokenVerifier } from '#app/platform/supabase/access-token.server.ts';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';

const SECRET = 'the secret of this instance, long enough';
const ISSUER = 'https://project.example/auth/v1';
const NOW = 1_800_000_000_000;
const SECONDS = NOW / 1000;
const USER = '01890a5d-ac96-774b-bcce-b302099a8057';
const SESSION = '01890a5d-ac96-774b-bcce-b302099a8058';

const claims = (more: Record<string, unknown> = {}) => ({
  sub: USER,
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ada@example.com',
  session_id: SESSION,
  exp: SECONDS + 600,
  ...more,
});
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: unknown, payload: unknown) => `${part(header)}.${part(payload)}`;

function hmacToken(payload: unknown, secret = SECRET, header: unknown = { alg: 'HS256', typ: 'JWT' }): string {
  const body = unsigned(header, payload);
  return `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;
}

const embedded = () => createAccessTokenVerifier({ keys: { kind: 'shared-secret', secret: SECRET }, issuer: null, now: () => NOW });

describe('tokens signed with the secret of the instance', () => {
  test('say who it is', async () => {
    expect(await embedded()(hmacToken(claims()))).toEqual({
      userId: USER,
      email: 'ada@example.com',
      sessionId: SESSION,
      expiresAt: SECONDS + 600,
      assurance: 'aal1',
    });
  });

  const good = hmacToken(claims());
  const [head, , tail] = good.split('.');
  test.each([
    ['alg none', `${unsigned({ alg: 'none', typ: 'JWT' }, claims())}.`],
    ['alg none with the right signature', `${unsigned({ alg: 'none' }, claims())}.${tail}`],
    ['another key', hmacToken(claims(), 'another secret')],
    ['an empty key', hmacToken(claims(), '')],
    ['another algorithm named', hmacToken(claims(), SECRET, { alg: 'HS512' })],
    ['an extension that must be understood', hmacToken(claims(), SECRET, { alg: 'HS256', crit: ['exp'] })],
    ['edited claims', `${head}.${part(claims({ email: 'root@example.com' }))}.${tail}`],
    ['no signature', `${head}.${part(claims())}.`],
    ['four parts', `${good}.x`],
    ['expired', hmacToken(claims({ exp: SECONDS }))],
    ['expiry as text', hmacToken(claims({ exp: String(SECONDS + 600) }))],
    ['no expiry', hmacToken({ ...claims(), exp: undefined })],
    ['not valid yet', hmacToken(claims({ nbf: SECONDS + 60 }))],
    ['another audience', hmacToken(claims({ aud: 'other' }))],
    ['the anonymous role', hmacToken(claims({ role: 'anon' }))],
    ['the service role', hmacToken(claims({ role: 'service_role' }))],
    ['an anonymous user', hmacToken(claims({ is_anonymous: true }))],
    ['a foreign issuer', hmacToken(claims({ iss: ISSUER }))],
    ['no session', hmacToken({ ...claims(), session_id: undefined })],
    ['a subject that is no id', hmacToken(claims({ sub: "x' or 1=1" }))],
    ['no JSON', 'e30.bm90IGpzb24.x'],
    ['nothing', ''],
    ['20,000 characters', 'x'.repeat(20_000)],
  ])('are refused: %s', async (_, token) => {
    expect(await embedded()(token)).toBeNull();
  });

  test('are refused once they have expired, also when they were seen before', async () => {
    let now = NOW;
    const verify = createAccessTokenVerifier({ keys: { kind: 'shared-secret', secret: SECRET }, issuer: null, now: () => now });
    expect(await verify(good)).not.toBeNull();
    now += 601_000;
    expect(await verify(good)).toBeNull();
  });
});

describe('tokens signed with published keys', () => {
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = (key: KeyObject, kid: string): JsonWebKey => ({ ...key.export({ format: 'jwk' }), kid });
  const keySet = [jwk(ec.publicKey, 'ec'), jwk(rsa.publicKey, 'rsa')];
  const withIssuer = claims({ iss: ISSUER });

  function signed(header: { alg: string; kid?: string }, payload: unknown, key: KeyObject): string {
    const body = unsigned(header, payload);
    const bytes = sign('sha256', Buffer.from(body), key.asymmetricKeyType === 'ec' ? { key, dsaEncoding: 'ieee-p1363' } : key);
    return `${body}.${bytes.toString('base64url')}`;
  }
  beforeEach(() => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  function hosted() {
    const project = vi.fn<typeof fetch>(async (input) =>
      String(input).endsWith('/jwks.json') ? Response.json({ keys: keySet }) : Response.json({}, { status: 401 }),
    );
    const backend = createIdentityBackend({ mode: 'hosted', url: 'https://project.example', key: 'key', fetch: project });
    const asked = (path: string) => project.mock.calls.filter(([input]) => String(input).endsWith(path)).length;
    return {
      verify: backend.verifyAccessToken,
      project,
      keysFetched: () => asked('/jwks.json'),
      serviceAsked: () => asked('/user'),
      later: (ms: number) => vi.setSystemTime(Date.now() + ms),
    };
  }

  test('are good with the key that they name', async () => {
    const { verify } = hosted();
    expect(await verify(signed({ alg: 'ES256', kid: 'ec' }, withIssuer, ec.privateKey))).toMatchObject({ userId: USER });
    expect(await verify(signed({ alg: 'RS256', kid: 'rsa' }, withIssuer, rsa.privateKey))).toMatchObject({ userId: USER });
  });

  test.each([
    ['another key', signed({ alg: 'ES256', kid: 'ec' }, withIssuer, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey)],
    ['the name of another key', signed({ alg: 'ES256', kid: 'rsa' }, withIssuer, ec.privateKey)],
    ['no name of a key', signed({ alg: 'ES256' }, withIssuer, ec.privateKey)],
    ['no issuer', signed({ alg: 'ES256', kid: 'ec' }, claims(), ec.privateKey)],
    ['another issuer', signed({ alg: 'ES256', kid: 'ec' }, claims({ iss: 'https://evil.example/auth/v1' }), ec.privateKey)],
    ['alg none', `${unsigned({ alg: 'none', kid: 'ec' }, withIssuer)}.`],
  ])('are refused: %s', async (_, token) => {
    expect(await hosted().verify(token)).toBeNull();
  });

  test('are never checked with a public key taken for a secret: the service is asked', async () => {
    const { verify, serviceAsked } = hosted();
    const pem = ec.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    expect(await verify(hmacToken(withIssuer, pem, { alg: 'HS256', kid: 'ec' }))).toBeNull();
    expect(serviceAsked()).toBe(1);
  });

  test('need the keys once in ten minutes, and an unknown key asks for them no oftener than each half minute', async () => {
    const { verify, keysFetched, later } = hosted();
    const lastingClaims = { ...withIssuer, exp: SECONDS + 7_200 };
    for (let n = 0; n < 5; n += 1) await verify(signed({ alg: 'ES256', kid: 'ec' }, { ...lastingClaims, n }, ec.privateKey));
    expect(keysFetched()).toBe(1);
    for (let n = 0; n < 5; n += 1) await verify(signed({ alg: 'ES256', kid: `unknown ${n}` }, lastingClaims, ec.privateKey));
    expect(keysFetched()).toBe(1);
    later(31_000);
    await verify(signed({ alg: 'ES256', kid: 'unknown' }, lastingClaims, ec.privateKey));
    expect(keysFetched()).toBe(2);
    later(10 * 60_000 + 1);
    await verify(signed({ alg: 'ES256', kid: 'ec' }, { ...lastingClaims, n: 9 }, ec.privateKey));
    expect(keysFetched()).toBe(3);
  });

  test('make nobody anonymous while the keys cannot be had', async () => {
    const { verify, project } = hosted();
    project.mockRejectedValue(new Error('down'));
    await expect(verify(signed({ alg: 'ES256', kid: 'ec' }, withIssuer, ec.privateKey))).rejects.toThrow('down');
    project.mockResolvedValue(new Response('', { status: 503 }));
    await expect(verify(signed({ alg: 'ES256', kid: 'ec' }, withIssuer, ec.privateKey))).rejects.toThrow();
    project.mockResolvedValue(Response.json({ message: 'no keys' }));
    await expect(verify(signed({ alg: 'ES256', kid: 'ec' }, withIssuer, ec.privateKey))).rejects.toThrow();
  });
});
