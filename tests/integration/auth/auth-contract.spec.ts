/** The mock must not lie: what supabase-js makes of the handlers is what it makes of a real service, or the difference is listed. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@supabase/supabase-js';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ContractBackend, embeddedBackend, mockedBackend } from '#tests/mocks/contract/backends.ts';
import { DIFFERENCES } from '#tests/mocks/contract/differences.ts';
import { PASSWORD, PLAYS } from '#tests/mocks/contract/plays.ts';
import { AUTH_TABLES, createDatabaseStore } from '#tests/mocks/database-store.ts';
import { makeFixtures } from '#tests/mocks/fixtures.ts';
import { MOCK_DEFAULTS } from '#tests/mocks/handlers.ts';
import { MockBackend } from '#tests/mocks/mock-backend.ts';
import { currentScenario, inScenario, SCENARIOS } from '#tests/mocks/scenarios.ts';
import { serveScenarios } from '#tests/mocks/scenarios-page.ts';
import { totpCode, totpStep } from '#tests/mocks/totp.ts';
import { TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts';

let db: TestDatabase;
let embedded: ContractBackend;
const { backend: mocked, mock } = mockedBackend();
beforeAll(async () => {
  db = await createTestDatabase();
  embedded = embeddedBackend(await db.startAuth());
});
afterAll(() => db.close());

describe.concurrent('the handlers and the embedded service tell the same of', () => {
  test.each(Object.entries(PLAYS))('%s', async (name, play) => {
    const [ofHandlers, ofService] = [await play(mocked), await play(embedded)];
    const difference = DIFFERENCES[name];
    if (difference === undefined) return expect(ofHandlers).toEqual(ofService);
    expect(ofHandlers).toEqual(difference.handlers);
    expect(ofService).toEqual(difference.embedded);
  });
});

test('the fixtures of `npm run dev:mocked` fit this schema, and hold each status once at least', async () => {
  await db.asAuthService(AUTH_TABLES);
  const store = createDatabaseStore(db.owner);
  const people = await makeFixtures(new MockBackend(MOCK_DEFAULTS, store), db.owner, db.ownerLogin, TEST_SECRET_KEY);
  expect(people.map(({ about }) => about)).toEqual(
    expect.arrayContaining(['user, builder', 'user, approver', 'user, auditor', 'user, admin']),
  );
  const statuses = async (table: string) =>
    new Set((await db.owner.query<{ status: string }>(`select distinct status from quorate.${table}`)).rows.map(({ status }) => status));
  expect(await statuses('runs')).toEqual(new Set(['pending', 'waiting', 'completed', 'failed', 'cancelled']));
  expect(await statuses('approvals')).toEqual(new Set(['pending', 'approved', 'rejected', 'expired', 'withdrawn', 'consumed']));
  expect(await statuses('connections')).toEqual(new Set(['pending', 'connected', 'disconnected', 'error']));
});

test('each difference is one of a play, says why, and is one', () => {
  for (const [name, { handlers, embedded: service, why }] of Object.entries(DIFFERENCES)) {
    expect(Object.keys(PLAYS)).toContain(name);
    expect(why.length).toBeGreaterThan(20);
    expect(handlers).not.toEqual(service);
  }
});

/** Signed up, confirmed and signed in with the handlers. */
async function person(options: { flow?: 'pkce' } = {}) {
  const email = mocked.newEmail();
  await mock.addUser({ email, password: PASSWORD, confirmedAt: mock.now() });
  const client = mocked.client(options);
  const { data } = await client.auth.signInWithPassword({ email, password: PASSWORD });
  if (data.session === null) throw new Error('nobody signed in');
  return { email, client, session: data.session };
}
const admin = () =>
  createClient(mocked.url, mock.settings.secretKey, {
    global: { fetch: mocked.fetch },
    auth: { persistSession: false, autoRefreshToken: false },
  }).auth.admin;

describe('what a hosted project has and the embedded service refuses', () => {
  test.each(['magiclink', 'factors', 'user/identities/authorize', 'admin/users', 'invite', 'admin/generate_link', 'authorize'])(
    '%s is not offered by the embedded service',
    async (path) => {
      const headers = { apikey: embedded.key };
      for (const method of ['GET', 'POST'])
        expect((await embedded.fetch(`${embedded.url}/auth/v1/${path}`, { method, headers })).status).toBe(404);
    },
  );

  test('a magic link, and none for nobody', async () => {
    const { email } = await person();
    const client = mocked.client();
    expect((await client.auth.signInWithOtp({ email })).error).toBeNull();
    const opened = await client.auth.verifyOtp({ email, token: mocked.mailTo(email)?.code ?? '', type: 'email' });
    expect(opened.data.user?.email).toBe(email);
    const nobody = await client.auth.signInWithOtp({ email: mocked.newEmail(), options: { shouldCreateUser: false } });
    expect(nobody.error).toMatchObject({ status: 422, code: 'otp_disabled' });
  });

  test('the default link: a code for the browser that asked, once, and for no other', async () => {
    const { email } = await person();
    const asking = mocked.client({ flow: 'pkce' });
    await asking.auth.resetPasswordForEmail(email, { redirectTo: 'http://localhost:3000/reset-password' });
    const follow = async () => {
      const query = new URLSearchParams({
        token: mocked.mailTo(email)?.tokenHash ?? '',
        type: 'recovery',
        redirect_to: 'http://localhost:3000/reset-password',
      });
      const answer = await mocked.fetch(`${mocked.url}/auth/v1/verify?${query}`, { headers: { apikey: mocked.key }, redirect: 'manual' });
      return new URL(answer.headers.get('Location') ?? '');
    };
    const target = await follow();
    expect(target.pathname).toBe('/reset-password');
    const code = target.searchParams.get('code') ?? '';
    expect((await follow()).hash).toContain('error_code=otp_expired');
    expect((await mocked.client({ flow: 'pkce' }).auth.exchangeCodeForSession(code)).error).not.toBeNull();
    expect((await asking.auth.exchangeCodeForSession(code)).data.session).not.toBeNull();
    expect((await asking.auth.exchangeCodeForSession(code)).error).not.toBeNull();
    const forged = await mocked.fetch(`${mocked.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      headers: { apikey: mocked.key, 'X-Supabase-Api-Version': '2024-01-01' },
      body: JSON.stringify({ auth_code: code, code_verifier: 'x'.repeat(64) }),
    });
    expect(await forged.json()).toMatchObject({ code: 'flow_state_not_found' });
  });

  test('a token of a provider, and of none', async () => {
    const email = mocked.newEmail();
    const now = Math.floor(Date.now() / 1000);
    const token = mock.signer.signClaims({ iss: 'google', aud: 'mocked', email, sub: '1', iat: now, exp: now + 60 });
    expect((await mocked.client().auth.signInWithIdToken({ provider: 'google', token })).data.user?.email).toBe(email);
    expect((await mocked.client().auth.signInWithIdToken({ provider: 'apple', token })).error?.code).toBe('provider_disabled');
    expect((await mocked.client().auth.signInWithIdToken({ provider: 'google', token: `${token}x` })).error?.code).toBe('bad_jwt');
  });

  test('a second factor: enrolled, shown once a code, asked of other sessions, taken away', async () => {
    const { email, client } = await person();
    const { data: enrolled } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    if (enrolled?.type !== 'totp') throw new Error('no factor');
    expect((await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error?.code).toBe('mfa_factor_name_conflict');
    const code = totpCode(enrolled.totp.secret, totpStep(new Date()));
    const show = async (token: string, by = client) => {
      const { data: challenge } = await by.auth.mfa.challenge({ factorId: enrolled.id });
      return by.auth.mfa.verify({ factorId: enrolled.id, challengeId: challenge?.id ?? '', code: token });
    };
    expect((await show(code === '000000' ? '000001' : '000000')).error?.code).toBe('mfa_verification_failed');
    expect((await show(code)).error).toBeNull();
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ currentLevel: 'aal2', nextLevel: 'aal2' });
    expect((await show(code)).error?.code).toBe('mfa_verification_failed');
    const other = mocked.client();
    await other.auth.signInWithPassword({ email, password: PASSWORD });
    expect((await other.auth.updateUser({ password: 'another good one' })).error?.code).toBe('insufficient_aal');
    expect((await other.auth.mfa.unenroll({ factorId: enrolled.id })).error?.code).toBe('insufficient_aal');
    expect((await client.auth.mfa.unenroll({ factorId: enrolled.id })).error).toBeNull();
  });

  test('a challenge of a second factor ends after five minutes', async () => {
    const { client } = await person();
    const { data: enrolled } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
    if (enrolled?.type !== 'totp') throw new Error('no factor');
    const { data: challenge } = await client.auth.mfa.challenge({ factorId: enrolled.id });
    const kept = mock.challenges.get(challenge?.id ?? '');
    if (kept === undefined) throw new Error('no challenge');
    expect(kept.expiresAt - Date.now()).toBeGreaterThan(4 * 60_000);
    kept.expiresAt = Date.now() - 1;
    const code = totpCode(enrolled.totp.secret, totpStep(new Date()));
    const show = () => client.auth.mfa.verify({ factorId: enrolled.id, challengeId: challenge?.id ?? '', code });
    expect((await show()).error?.code).toBe('mfa_challenge_expired');
    expect((await show()).error?.code).toBe('mfa_factor_not_found');
  });

  test('a change of address needs both mailboxes, a reauthentication its code', async () => {
    const { email, client } = await person();
    const next = mocked.newEmail();
    expect((await client.auth.updateUser({ email: next })).data.user?.new_email).toBe(next);
    const first = await client.auth.verifyOtp({ token_hash: mocked.mailTo(next)?.tokenHash ?? '', type: 'email_change' });
    expect(first.data.session).toBeNull();
    const second = await client.auth.verifyOtp({ token_hash: mocked.mailTo(email)?.tokenHash ?? '', type: 'email_change' });
    expect(second.data.user?.email).toBe(next);
    await client.auth.reauthenticate();
    expect((await client.auth.updateUser({ password: 'another good one', nonce: '000000x' })).error?.code).toBe(
      'reauthentication_not_valid',
    );
    const { code } = mocked.mailTo(next) ?? { code: '' };
    expect((await client.auth.updateUser({ password: 'another good one', nonce: code })).error).toBeNull();
  });

  test('identities: where to link one, and the last cannot go', async () => {
    const { client } = await person();
    const linked = await client.auth.linkIdentity({ provider: 'google', options: { skipBrowserRedirect: true } });
    expect(linked.data.url).toContain('google');
    const { data } = await client.auth.getUserIdentities();
    const [only] = data?.identities ?? [];
    if (only === undefined) throw new Error('no identity');
    expect((await client.auth.unlinkIdentity(only)).error?.code).toBe('single_identity_not_deletable');
  });

  test('users for who holds the secret key, and for nobody else', async () => {
    const email = mocked.newEmail();
    const made = await admin().createUser({ email, password: PASSWORD, email_confirm: true });
    const id = made.data.user?.id ?? '';
    expect((await admin().createUser({ email, password: PASSWORD })).error?.code).toBe('email_exists');
    expect((await admin().getUserById(id)).data.user?.email).toBe(email);
    expect((await admin().listUsers({ page: 1, perPage: 1 })).data.users).toHaveLength(1);
    expect((await admin().updateUserById(id, { ban_duration: '24h' })).error).toBeNull();
    expect((await mocked.client().auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('user_banned');
    expect((await admin().inviteUserByEmail(mocked.newEmail())).data.user?.invited_at).toBeDefined();
    const link = await admin().generateLink({ type: 'recovery', email });
    expect(link.data.properties?.action_link).toContain('/auth/v1/verify?token=');
    expect((await admin().deleteUser(id)).error).toBeNull();
    expect((await admin().getUserById(id)).error?.code).toBe('user_not_found');
    expect((await mocked.client().auth.admin.listUsers()).error).toMatchObject({ status: 403 });
  });

  test('the keys: a client checks a token on its own', async () => {
    const { client, email } = await person();
    const { data } = await client.auth.getClaims();
    expect(data?.header.alg).toBe('ES256');
    expect(data?.claims.email).toBe(email);
  });
});

describe('each scenario is what it says', () => {
  const outcome = (error: { code?: string | undefined; status?: number | undefined; name: string } | null) =>
    error && [error.status, error.code ?? error.name];
  test.each([
    ['wrong-password', [400, 'invalid_credentials']],
    ['unconfirmed', [400, 'email_not_confirmed']],
    ['rate-limited', [429, 'over_request_rate_limit']],
    ['unavailable', [503, 'AuthRetryableFetchError']],
    ['network-cut', [0, 'AuthRetryableFetchError']],
    ['none', null],
  ] as const)('%s, signing in', async (scenario, expected) => {
    const { email } = await person();
    const { error } = await inScenario(scenario, () => mocked.client().auth.signInWithPassword({ email, password: PASSWORD }));
    expect(outcome(error)).toEqual(expected);
  });

  test('weak-password, session-not-found and profile-missing', async () => {
    const { client, session } = await person();
    const weak = await inScenario('weak-password', () => client.auth.updateUser({ password: 'any password' }));
    expect(weak.error).toMatchObject({ code: 'weak_password', reasons: ['length', 'characters', 'pwned'] });
    const gone = await inScenario('session-not-found', () => mocked.client().auth.getUser(session.access_token));
    expect(gone.error?.name).toBe('AuthSessionMissingError');
    const profile = await inScenario('profile-missing', async () =>
      client.from('profiles').select('id').eq('id', session.user.id).single(),
    );
    expect(profile.error?.code).toBe('PGRST116');
  });

  test('slow: every call of the backend answers, and rightly, after five seconds', async () => {
    const { email } = await person();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      let answered = false;
      const answer = inScenario('slow', () => mocked.client().auth.signInWithPassword({ email, password: PASSWORD })).finally(() => {
        answered = true;
      });
      await vi.advanceTimersByTimeAsync(4_990);
      expect(answered).toBe(false);
      await vi.advanceTimersByTimeAsync(20);
      expect((await answer).data.user?.email).toBe(email);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a scenario', () => {
  let server: Server;
  let origin: string;
  beforeAll(async () => {
    const people = [{ name: 'Ada', email: 'ada@example.com', password: PASSWORD, about: 'user' }];
    const product = express().use(serveScenarios({ mock, handlers: [], people, caughtMails: async () => [] }));
    product.use((_, response) => void response.json({ scenario: currentScenario() }));
    server = product.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const scenarioAt = async (path: string, headers: Record<string, string>) =>
    ((await (await fetch(`${origin}${path}`, { headers })).json()) as { scenario: string }).scenario;

  test('is chosen on its page for a browser, by a header for one request, and the narrower choice wins', async () => {
    const page = await fetch(`${origin}/dev/scenarios`);
    const text = await page.text();
    for (const name of SCENARIOS) expect(text).toContain(`value="${name}"`);
    const chosen = await fetch(`${origin}/dev/scenarios`, {
      method: 'POST',
      body: new URLSearchParams({ scenario: 'slow' }),
      redirect: 'manual',
    });
    expect(chosen.status).toBe(303);
    const cookie = chosen.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(await scenarioAt('/dashboard', { cookie })).toBe('slow');
    expect(await scenarioAt('/dashboard', { cookie, 'X-Quorate-Scenario': 'unavailable' })).toBe('unavailable');
    expect(await scenarioAt('/dashboard', {})).toBe('none');
    const unknown = await fetch(`${origin}/dev/scenarios`, { method: 'POST', body: new URLSearchParams({ scenario: 'root' }) });
    expect(unknown.status).toBe(400);
  });

  test('session-not-found ends the session of who asks, whole or in parts, by header and by cookie, and no other', async () => {
    for (const [parts, headers] of [
      [1, { 'X-Quorate-Scenario': 'session-not-found' }],
      [3, { cookie: 'quorate_scenario=session-not-found' }],
    ] as [number, { cookie?: string }][]) {
      const { session } = await person();
      const other = await person();
      const value = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`;
      const length = Math.ceil(value.length / parts);
      const cookies = Array.from({ length: parts }, (_, at) => {
        const part = value.slice(at * length, (at + 1) * length);
        return `sb-mocked-auth-token${parts === 1 ? '' : `.${at}`}=${part}`;
      });
      const standing = async (token: string) => (await mocked.client().auth.getUser(token)).error === null;
      const cookie = [...cookies.reverse(), headers.cookie ?? 'theme=dark'].join('; ');
      await scenarioAt('/dashboard', { cookie: cookies.join('; ') });
      expect(await standing(session.access_token)).toBe(true);
      expect(await scenarioAt('/dashboard', { ...headers, cookie })).toBe('session-not-found');
      expect(await standing(session.access_token)).toBe(false);
      expect(await standing(other.session.access_token)).toBe(true);
    }
  });
});
