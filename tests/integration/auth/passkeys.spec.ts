/** Passkeys and authenticator apps on the embedded account service: how they let in, prove and end, and every known way around them. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import type { Ceremony } from '#app/features/auth/passkey/ceremony.server.ts';
import type { PasskeyAnswer } from '#app/features/auth/passkey/change-passkeys-action.server.ts';
import type { FormAnswer } from '#app/features/auth/sign-in/refusal.ts';
import { Authenticator, type Forgery } from '#tests/integration/support/passkeys/authenticator.ts';
import { totpCode, totpStep } from '#tests/mocks/totp.ts';
import { TEST_ORIGIN } from '#tests/support/database-setup.ts';
import { type Answer, type Browser, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

const LIST = '/dashboard/account/security/passkeys';
type Begun = { options: { challenge: string; rpId?: string }; state: string };
type Me = { userId: string; sessionId: string; workspace: { id: string } };

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

let people = 0;
async function newcomer() {
  const email = `key-${++people}@example.com`;
  const browser = await app.newcomer(email, { name: 'Ada' });
  return { email, browser, me: (await browser.get('/dashboard/runs')).data as Me };
}
const query = async (text: string, values: unknown[] = []) => (await app.db.owner.query(text, values)).rows;
const eventsOf = async (workspace: string) =>
  (
    await query("select action from quorate.audit_events where workspace_id = $1 and action like 'account.%' order by at, id", [workspace])
  ).map(({ action }) => action);

const sent = ({ state }: { state: string }, answer: string) => JSON.stringify({ state, answer });
async function beginAdding(browser: Browser, proof: Record<string, string> = { password: PASSWORD }) {
  const answer = await browser.post(LIST, { form: 'add', name: 'Laptop', ...proof });
  return { answer, setup: (answer.action as PasskeyAnswer | undefined)?.setup as (Ceremony & { options: Begun['options'] }) | null };
}
async function addPasskey(browser: Browser, authenticator: Authenticator, forged: Forgery = {}, proof?: Record<string, string>) {
  const { answer, setup } = await beginAdding(browser, proof);
  if (setup === null || setup === undefined) throw new Error(`no passkey was begun: ${answer.status} ${JSON.stringify(answer.action)}`);
  return browser.post(LIST, { form: 'register', name: 'Laptop', passkey: sent(setup, authenticator.make(setup.options, forged)) });
}
async function ask(browser: Browser, purpose: string, about = ''): Promise<Begun> {
  const answer = await browser.post('/auth/passkey', { purpose, about });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as Begun;
}
async function signIn(authenticator: Authenticator, forged: Forgery = {}, browser: Browser = app.browser()) {
  const begun = await ask(browser, 'signIn');
  return {
    browser,
    answer: await browser.post('/auth', { form: 'passkey', passkey: sent(begun, authenticator.answer(begun.options, forged)) }),
  };
}
const isRefused = (answer: Answer, group = 'passkey') => {
  expect(answer.status).toBe(400);
  expect((answer.action as FormAnswer).refusal?.group).toBe(group);
};

describe('a passkey', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('of %s is registered with recovery codes, and signs in', async (algorithm) => {
    const { browser, me } = await newcomer();
    const authenticator = new Authenticator(TEST_ORIGIN, algorithm);
    const added = await addPasskey(browser, authenticator);
    expect(added.status).toBe(200);
    expect((added.action as PasskeyAnswer).codes).toHaveLength(10);
    expect(await eventsOf(me.workspace.id)).toEqual(['account.passkeyAdded']);
    // The session that has made it has shown it.
    expect((await browser.get('/dashboard/runs')).status).toBe(200);

    const signed = await signIn(authenticator);
    expect(signed.answer).toMatchObject({ status: 303, location: '/dashboard' });
    const there = (await signed.browser.get('/dashboard/runs')).data as Me;
    expect(there.userId).toBe(me.userId);
    expect(await query('select method from quorate.session_factors where session_id = $1', [there.sessionId])).toEqual([
      { method: 'passkey' },
    ]);
    const listed = (await browser.get(LIST)).data as { passkeys: { name: string; lastUsedAt: string | null }[] };
    expect(listed.passkeys).toMatchObject([{ name: 'Laptop', lastUsedAt: expect.any(String) }]);
  });

  test('is the second factor after a password, and so is a recovery code', async () => {
    const { email, browser } = await newcomer();
    const authenticator = new Authenticator(TEST_ORIGIN);
    const codes = ((await addPasskey(browser, authenticator)).action as PasskeyAnswer).codes ?? [];
    const other = app.browser();
    expect(await other.post('/auth', { form: 'sign-in', email, password: PASSWORD })).toMatchObject({ status: 303 });
    expect(await other.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth/factor?next=%2Fdashboard%2Fruns' });
    const third = other.copy();
    const begun = await ask(other, 'factor');
    const shown = await other.post('/auth/factor?next=%2Fdashboard%2Fruns', {
      form: 'passkey',
      passkey: sent(begun, authenticator.answer(begun.options)),
    });
    expect(shown).toMatchObject({ status: 303, location: '/dashboard/runs' });
    expect((await other.get('/dashboard/runs')).status).toBe(200);
    expect((await third.get('/dashboard/runs')).status).toBe(200);

    const lost = app.browser();
    await lost.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    expect(await lost.post('/auth/factor', { form: 'recovery', recoveryCode: codes[0] ?? '' })).toMatchObject({ status: 303 });
    expect((await lost.get('/dashboard/runs')).status).toBe(200);
    // Who came in by a code cannot add another door before the lost one is gone.
    expect((await beginAdding(lost)).answer.status).toBe(400);
  });

  test('is added, renamed and removed with a proof, by its owner alone', async () => {
    const ada = await newcomer();
    const bob = await newcomer();
    const authenticator = new Authenticator(TEST_ORIGIN);
    expect((await beginAdding(ada.browser, { password: 'not this one' })).answer.status).toBe(400);
    await addPasskey(ada.browser, authenticator);
    const [{ id }] = ((await ada.browser.get(LIST)).data as { passkeys: [{ id: string }] }).passkeys;
    expect((await bob.browser.get(`${LIST}/${id}`)).status).toBe(404);
    expect((await bob.browser.post(`${LIST}/${id}`, { form: 'rename', name: 'Mine' })).status).toBe(404);
    expect((await bob.browser.post(`${LIST}/${id}`, { form: 'remove', password: PASSWORD })).status).toBe(404);
    expect(await ada.browser.post(`${LIST}/${id}`, { form: 'rename', name: 'Phone' })).toMatchObject({ status: 303 });
    // Whoever has a passkey proves with it: the password alone is less than they have.
    expect((await ada.browser.post(`${LIST}/${id}`, { form: 'remove', password: PASSWORD })).status).toBe(400);
    const begun = await ask(ada.browser, 'confirm');
    const passkey = sent(begun, authenticator.answer(begun.options));
    expect(await ada.browser.post(`${LIST}/${id}`, { form: 'remove', passkey })).toMatchObject({ status: 303 });
    expect(await query('select from quorate.passkeys where user_id = $1', [ada.me.userId])).toEqual([]);
    expect(await query('select from quorate.recovery_codes where user_id = $1', [ada.me.userId])).toEqual([]);
    expect(await eventsOf(ada.me.workspace.id)).toEqual(['account.passkeyAdded', 'account.passkeyRenamed', 'account.passkeyRemoved']);
  });

  test('is not registered twice, by anybody, nor beyond twenty', async () => {
    const ada = await newcomer();
    const bob = await newcomer();
    const authenticator = new Authenticator(TEST_ORIGIN);
    await addPasskey(ada.browser, authenticator);
    const { setup } = await beginAdding(ada.browser, await confirmWith(ada.browser, authenticator));
    expect(setup?.options).toMatchObject({ excludeCredentials: [{ id: authenticator.credential.toString('base64url') }] });
    const again = await addPasskey(bob.browser, authenticator);
    expect(again.status).toBe(400);
    expect(await query('select user_id from quorate.passkeys where credential_id = $1', [authenticator.credential])).toEqual([
      { user_id: ada.me.userId },
    ]);
    const own = new Authenticator(TEST_ORIGIN);
    await addPasskey(bob.browser, own);
    const { setup: last } = await beginAdding(bob.browser, await confirmWith(bob.browser, own));
    await app.db.owner.query(
      `insert into quorate.passkeys (id, user_id, credential_id, public_key, counter, name)
       select gen_random_uuid(), $1::uuid, decode(md5(n || $2), 'hex'), decode(repeat('00', 40), 'hex'), 0, 'old' from generate_series(1, 19) n`,
      [bob.me.userId, bob.email],
    );
    const made = new Authenticator(TEST_ORIGIN);
    const passkey = sent(last ?? { state: '' }, made.make(last?.options ?? { challenge: '' }));
    expect((await bob.browser.post(LIST, { form: 'register', name: 'Laptop', passkey })).status).toBe(400);
  });
});

/** A fresh proof by this passkey, for what the database asks no act of. */
async function confirmWith(browser: Browser, authenticator: Authenticator): Promise<Record<string, string>> {
  const begun = await ask(browser, 'confirm');
  return { passkey: sent(begun, authenticator.answer(begun.options)) };
}

describe('what is forged opens nothing:', () => {
  let owner: Awaited<ReturnType<typeof newcomer>>;
  let stranger: Awaited<ReturnType<typeof newcomer>>;
  const key = new Authenticator(TEST_ORIGIN);
  const theirs = new Authenticator(TEST_ORIGIN);
  beforeAll(async () => {
    owner = await newcomer();
    stranger = await newcomer();
    await addPasskey(owner.browser, key);
    await addPasskey(stranger.browser, theirs);
  });

  test.each<[string, () => Forgery]>([
    ['another challenge', () => ({ challenge: Buffer.alloc(32, 1).toString('base64url') })],
    ['another origin', () => ({ origin: 'https://quorate.evil.example' })],
    ['the same host on another port', () => ({ origin: 'http://localhost:3001' })],
    ['another relying party', () => ({ rpId: 'evil.example' })],
    ['no user verification', () => ({ unverified: true })],
    ['nobody present', () => ({ absent: true })],
    ['the ceremony of a registration', () => ({ type: 'webauthn.create' })],
    ['the signature of another key', () => ({ key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey })],
    ['a credential that nobody has', () => ({ credential: Buffer.alloc(32, 2) })],
    ['the credential of another person', () => ({ credential: theirs.credential })],
    ['the name of another person', () => ({ userHandle: theirs.userHandle })],
    ['no name', () => ({ userHandle: null })],
  ])('%s', async (_, forged) => {
    const { browser, answer } = await signIn(key, forged());
    isRefused(answer);
    expect(browser.cookies.has('sb-test-auth-token')).toBe(false);
    expect((await browser.get('/dashboard')).location).toMatch(/^\/auth/);
  });

  test('an answer that was given before', async () => {
    const browser = app.browser();
    const begun = await ask(browser, 'signIn');
    const passkey = sent(begun, key.answer(begun.options));
    expect((await browser.post('/auth', { form: 'passkey', passkey })).status).toBe(303);
    isRefused(await browser.copy().post('/auth', { form: 'passkey', passkey }));
    // The same challenge, signed anew.
    isRefused(await browser.post('/auth', { form: 'passkey', passkey: sent(begun, key.answer(begun.options)) }));
  });

  test('of two answers to one challenge at once, one counts', async () => {
    const browser = app.browser();
    const begun = await ask(browser, 'signIn');
    const passkey = sent(begun, key.answer(begun.options));
    const answers = await Promise.all(
      [browser.copy(), browser.copy(), browser.copy()].map((one) => one.post('/auth', { form: 'passkey', passkey })),
    );
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  test('an answer in another browser, after five minutes, or to a challenge for something else', async () => {
    const browser = app.browser();
    const begun = await ask(browser, 'signIn');
    const passkey = sent(begun, key.answer(begun.options));
    isRefused(await app.browser().post('/auth', { form: 'passkey', passkey }));
    const now = app.services.now;
    app.services.now = () => new Date(Date.now() + 5 * 60_000 + 1);
    isRefused(await browser.post('/auth', { form: 'passkey', passkey }));
    app.services.now = now;
    const confirming = await ask(owner.browser, 'confirm');
    const elsewhere = app.browser();
    elsewhere.cookies.set('passkey_browser', owner.browser.cookies.get('passkey_browser') ?? '');
    isRefused(await elsewhere.post('/auth', { form: 'passkey', passkey: sent(confirming, key.answer(confirming.options)) }));
    // And it is still good for what it was made for.
    expect((await beginAdding(owner.browser, { passkey: sent(confirming, key.answer(confirming.options)) })).setup).not.toBeNull();
  });

  test('a passkey of another person, as a factor and as a proof', async () => {
    const other = app.browser();
    await other.post('/auth', { form: 'sign-in', email: owner.email, password: PASSWORD });
    const asked = await ask(other, 'factor');
    isRefused(await other.post('/auth/factor', { form: 'passkey', passkey: sent(asked, theirs.answer(asked.options)) }));
    isRefused(
      await other.post('/auth/factor', {
        form: 'passkey',
        passkey: sent(asked, theirs.answer(asked.options, { userHandle: key.userHandle })),
      }),
    );
    expect((await other.get('/dashboard/runs')).location).toMatch(/^\/auth\/factor/);
    const confirming = await ask(owner.browser, 'confirm');
    expect((await beginAdding(owner.browser, { passkey: sent(confirming, theirs.answer(confirming.options)) })).answer.status).toBe(400);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no state', JSON.stringify({ answer: '{}' })],
    ['a state that is not ours', JSON.stringify({ state: 'AAAA', answer: '{}' })],
    ['too much', JSON.stringify({ state: 'AAAA', answer: 'x'.repeat(23_000) })],
    ['more than is read', 'x'.repeat(30_000)],
  ])('%s', async (_, passkey) => {
    const answer = await app.browser().post('/auth', { form: 'passkey', passkey });
    isRefused(answer);
  });

  test.each([
    ['an answer of 17 KB', (json: string) => json.replace('"response":{', `"response":{"padding":"${'x'.repeat(17_000)}",`)],
    ['a signature of 13 KB', (json: string) => json.replace(/"signature":"[^"]+"/, `"signature":"${'A'.repeat(13_000)}"`)],
    ['letters that are no base64url', (json: string) => json.replace(/"signature":"../, '"signature":"=+')],
    ['a key of another shape', (json: string) => json.replace('"public-key"', '"password"')],
  ])('%s', async (_, bend) => {
    const browser = app.browser();
    const begun = await ask(browser, 'signIn');
    isRefused(await browser.post('/auth', { form: 'passkey', passkey: sent(begun, bend(key.answer(begun.options))) }));
  });

  test('a counter that goes back is refused, and its owner is told', async () => {
    const ada = await newcomer();
    const counting = new Authenticator(TEST_ORIGIN);
    counting.counter = 5;
    await addPasskey(ada.browser, counting);
    counting.counter = 7;
    expect((await signIn(counting)).answer.status).toBe(303);
    for (const counter of [7, 6, 0]) isRefused((await signIn(counting, { counter })).answer, 'passkeyDoubted');
    expect(await eventsOf(ada.me.workspace.id)).toContain('account.passkeyDoubted');
    expect(app.mails.filter(({ to, subject }) => to === ada.email && subject.includes('copied'))).toHaveLength(3);
    expect(((await ada.browser.get(LIST)).data as { passkeys: { doubtedAt: string | null }[] }).passkeys[0]?.doubtedAt).not.toBeNull();
    counting.counter = 8;
    expect((await signIn(counting)).answer.status).toBe(303);
  });
});

describe('what is registered has to hold as well:', () => {
  test.each<[string, Forgery]>([
    ['another challenge', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['another origin', { origin: 'https://quorate.evil.example' }],
    ['another relying party', { rpId: 'evil.example' }],
    ['no user verification', { unverified: true }],
    ['the ceremony of a sign-in', { type: 'webauthn.get' }],
    ['an algorithm that was not offered (ES512)', { algorithm: -36 }],
    ['an algorithm of tomorrow (ML-DSA-44)', { algorithm: -48 }],
    ['an algorithm that is none', { algorithm: 0 }],
  ])('%s', async (_, forged) => {
    const { browser, me } = await newcomer();
    expect((await addPasskey(browser, new Authenticator(TEST_ORIGIN), forged)).status).toBe(400);
    expect(await query('select from quorate.passkeys where user_id = $1', [me.userId])).toEqual([]);
  });

  test('a key of P-384 that calls itself ES256 signs nobody in', async () => {
    const { browser, me } = await newcomer();
    const confused = new Authenticator(TEST_ORIGIN, 'ES384');
    await addPasskey(browser, confused, { algorithm: -7 }).catch(() => undefined);
    const rows = await query('select from quorate.passkeys where user_id = $1', [me.userId]);
    if (rows.length > 0) isRefused((await signIn(confused)).answer);
  });

  test('once, in the session that asked', async () => {
    const { email, browser } = await newcomer();
    const { setup } = await beginAdding(browser);
    const made = new Authenticator(TEST_ORIGIN);
    const passkey = sent(setup ?? { state: '' }, made.make(setup?.options ?? { challenge: '' }));
    const other = app.browser();
    await other.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    other.cookies.set('passkey_browser', browser.cookies.get('passkey_browser') ?? '');
    expect((await other.post(LIST, { form: 'register', name: 'Laptop', passkey })).status).toBe(400);
    expect((await browser.post(LIST, { form: 'register', name: 'Laptop', passkey })).status).toBe(200);
    expect((await browser.post(LIST, { form: 'register', name: 'Laptop', passkey })).status).toBe(400);
  });
});

describe('an authenticator app', () => {
  const PAGE = '/dashboard/account/security/factor';
  const codeNow = (secret: string) => totpCode(secret, totpStep(app.services.now()));
  async function setUp(browser: Browser): Promise<{ secret: string; codes: string[] }> {
    const begun = ((await browser.post(PAGE, { form: 'start', currentPassword: PASSWORD })).action as FactorAnswer).setup;
    const { state = '', secret = '' } = begun ?? {};
    expect((await browser.post(PAGE, { form: 'verify', state, code: '000000' })).status).toBe(400);
    const done = await browser.post(PAGE, { form: 'verify', state, code: codeNow(secret) });
    return { secret, codes: (done.action as FactorAnswer).codes ?? [] };
  }

  test('is set up without scripts, asked for after the password, and takes each code once', async () => {
    const { email, browser, me } = await newcomer();
    const { secret, codes } = await setUp(browser);
    expect(codes).toHaveLength(10);
    expect(
      (await query('select sealed_secret from quorate.authenticators where user_id = $1', [me.userId]))[0]?.sealed_secret.toString(),
    ).not.toContain(secret);
    const other = app.browser();
    await other.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    expect((await other.get('/dashboard/runs')).location).toMatch(/^\/auth\/factor/);
    // The code that set it up was taken.
    expect((await other.post('/auth/factor', { form: 'code', code: codeNow(secret) })).status).toBe(400);
    const now = app.services.now;
    app.services.now = () => new Date(Date.now() + 30_000);
    const code = codeNow(secret);
    expect((await other.post('/auth/factor', { form: 'code', code })).status).toBe(303);
    expect((await other.get('/dashboard/runs')).status).toBe(200);
    const third = app.browser();
    await third.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    expect((await third.post('/auth/factor', { form: 'code', code })).status).toBe(400);
    app.services.now = now;
    expect(await browser.post(PAGE, { form: 'remove', currentPassword: PASSWORD })).toMatchObject({ status: 303 });
    expect((await third.get('/dashboard/runs')).status).toBe(200);
  });

  test('goes, with every passkey, by a recovery code where all are lost', async () => {
    const { email, browser, me } = await newcomer();
    const { codes } = await setUp(browser);
    const lost = app.browser();
    await lost.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    expect((await lost.post('/auth/factor', { form: 'recovery', recoveryCode: codes[1] ?? '' })).status).toBe(303);
    expect(await lost.post(PAGE, { form: 'remove', currentPassword: PASSWORD })).toMatchObject({ status: 303 });
    expect(await query('select from quorate.authenticators where user_id = $1', [me.userId])).toEqual([]);
  });
});
