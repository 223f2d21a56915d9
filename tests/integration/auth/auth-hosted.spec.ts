/** The product on a hosted project, which the handlers play: its default links, its refusals, its outages. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inScenario } from '#tests/mocks/scenarios.ts';
import { totpCode, totpStep } from '#tests/mocks/totp.ts';
import { COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';
import { pngOf } from '#tests/support/pictures.ts';

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp({ hosted: true });
});
beforeEach(async () => {
  await app.db.owner.query('delete from quorate.rate_limits');
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `hosted-${++people}@example.com`;

async function confirmed(): Promise<string> {
  const email = newEmail();
  await app.mock?.addUser({ email, password: PASSWORD, confirmedAt: new Date() });
  return email;
}

/** Follows the default link of the newest mail to the project and says where that sends the browser. */
async function defaultLink(email: string): Promise<URL> {
  const { mock } = app;
  const mail = mock?.mails.findLast(({ to }) => to === email);
  const user = mock?.userByEmail(email);
  if (!mock || !mail || !user) throw new Error('no mail');
  const token = mock.takeMailToken(({ hash }) => hash === mail.tokenHash);
  const target = new URL(mail.redirectTo);
  if (token?.challenge) target.searchParams.set('code', mock.issueAuthCode(user.id, token.challenge, 'otp'));
  return target;
}

describe('the default link, which brings a code', () => {
  test('signs up in the browser that asked, by the button of a page', async () => {
    const email = newEmail();
    const person = app.browser();
    await person.post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    const link = await defaultLink(email);
    expect(link.pathname).toBe('/app/dashboard');
    const path = `/auth/confirm${link.search}`;
    for (let scan = 0; scan < 2; scan += 1) expect(await person.get(path)).toMatchObject({ status: 200, data: { state: 'ready' } });
    // The service confirms the address before it sends the browser on.
    const user = app.mock?.userByEmail(email);
    if (user) user.confirmedAt = new Date();
    if (user) await app.mock?.saveUser(user);
    expect(await person.post(path, { form: 'link' })).toMatchObject({ status: 303, location: '/dashboard' });
    expect((await person.get('/dashboard')).data).toMatchObject({ email });
    expect(await person.copy().post(path, { form: 'link' })).toMatchObject({ status: 400, action: { refusal: { group: 'link' } } });
  });

  test('in another browser explains itself, and the code of the mail is the way in', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    const code = app.mock?.mails.findLast(({ to }) => to === email)?.code ?? '';
    const other = app.browser();
    const answer = await other.post('/auth/confirm?code=0197c2d4-0000-7000-8000-000000000000', { form: 'link' });
    expect(answer).toMatchObject({ status: 400, action: { refusal: { group: 'link' } } });
    expect(await other.post('/auth/confirm', { form: 'code', email, code })).toMatchObject({ status: 303 });
  });

  test('of a recovery is used with the new password alone', async () => {
    const email = await confirmed();
    const person = app.browser();
    await person.post('/reset-password', { form: 'request', email });
    const link = await defaultLink(email);
    expect(link.pathname).toBe('/reset-password');
    const path = `${link.pathname}${link.search}`;
    expect(await person.get(path)).toMatchObject({ status: 200, data: { state: 'choose' } });
    expect(person.cookies.has(COOKIE)).toBe(false);
    expect(await person.post(path, { form: 'choose', password: 'another good one' })).toMatchObject({
      status: 303,
      location: '/dashboard',
    });
    expect((await app.browser().post('/auth', { form: 'sign-in', email, password: 'another good one' })).status).toBe(303);
  });
});

describe('a session that a link of recovery has opened, before its new password', () => {
  const closed = async (person: ReturnType<typeof app.browser>) => {
    expect(await person.copy().get('/dashboard/runs')).toMatchObject({ status: 302, location: '/reset-password' });
    expect((await person.copy().post('/dashboard/account/profile', { name: 'Typed' })).status).not.toBe(200);
    // Who takes our mark out of the browser has a session that opens nothing.
    const unmarked = person.copy();
    expect(unmarked.cookies.delete('sb-recovery')).toBe(true);
    const copy = unmarked.copy();
    for (const path of ['/dashboard', '/dashboard/account/profile', '/dashboard/account/data/export'])
      expect((await unmarked.copy().get(path)).location).toMatch(/^\/auth(?:\?|$)/);
    expect((await copy.post('/auth/calls', { call: 'updateProfile', name: 'X' })).text).not.toBe('{"error":null}');
  };

  test('opens nothing else, with our mark or without it', async () => {
    const email = await confirmed();
    const person = app.browser();
    await person.post('/reset-password', { form: 'request', email });
    const path = `/reset-password${new URL(await defaultLink(email)).search}`;
    const refused = await inScenario('weak-password', () => person.post(path, { form: 'choose', password: 'a weak one' }));
    expect(refused.status).toBe(400);
    await closed(person);
    expect(await person.post('/reset-password', { form: 'choose', password: 'another good one' })).toMatchObject({ status: 303 });
    expect((await person.get('/dashboard')).status).toBe(200);
  });

  test('is none where addresses are confirmed: its code leads to the new password', async () => {
    const email = await confirmed();
    const person = app.browser();
    await person.post('/reset-password', { form: 'request', email });
    const link = await defaultLink(email);
    expect(await person.post(`/auth/confirm${link.search}`, { form: 'link' })).toMatchObject({ status: 303, location: '/reset-password' });
    await closed(person);
    expect((await person.get('/reset-password')).data).toMatchObject({ state: 'choose' });
    expect(await person.post('/reset-password', { form: 'choose', password: 'another good one' })).toMatchObject({ status: 303 });
    expect((await person.get('/dashboard')).status).toBe(200);
  });

  test.each(['email', 'magiclink', 'invite', 'signup', 'email_change'])('is none for a link that calls itself %s', async (type) => {
    const email = await confirmed();
    await app.browser().post('/reset-password', { form: 'request', email });
    const hash = app.mock?.mails.findLast(({ to }) => to === email)?.tokenHash ?? '';
    const person = app.browser();
    const link = `token_hash=${hash}&type=${type}`;
    const answer = await person.post(`/auth/confirm?${link}`, { form: 'link' });
    // One to sign in has a page of its own, which asks for the browser that it was sent for.
    if (type === 'magiclink') expect(answer).toMatchObject({ status: 303, location: `/auth/mail?${link}` });
    else expect(answer.status).toBe(400);
    expect((await person.post(`/auth/mail?${link}`, { form: 'link' })).status).toBe(400);
    expect(person.cookies.has(COOKIE)).toBe(false);
    expect(
      (await person.post(`/reset-password?token_hash=${hash}&type=recovery`, { form: 'choose', password: 'another good one' })).status,
    ).toBe(303);
  });
});

describe('a change of address, which a project lets both mailboxes confirm', () => {
  const asked = async () => {
    const email = await confirmed();
    const person = app.browser();
    await person.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    const { workspace } = (await person.get('/dashboard/runs')).data as { workspace: { id: string } };
    const next = newEmail();
    const form = { workspace: workspace.id, form: 'email', email: next, currentPassword: PASSWORD };
    expect((await person.post('/dashboard/account/security', form)).status).toBe(303);
    return { email, next, person };
  };
  const mailTo = (address: string) => {
    const mail = app.mock?.mails.findLast(({ to, kind }) => to === address && kind === 'email_change');
    if (mail === undefined) throw new Error(`no mail to ${address}`);
    return mail;
  };
  const HALFWAY = { status: 303, location: '/auth/confirm?sent=other-mailbox' };

  test.each(['signed in', 'in a browser where nobody is'])('goes on from the first to the second by links, %s', async (where) => {
    const { email, next, person } = await asked();
    const browser = where === 'signed in' ? person : app.browser();
    const open = (address: string) =>
      browser.post(`/auth/confirm?token_hash=${mailTo(address).tokenHash}&type=email_change`, { form: 'link' });
    expect(await open(next)).toMatchObject(HALFWAY);
    expect((await browser.get('/auth/confirm?sent=other-mailbox')).data).toMatchObject({ state: 'halfway' });
    expect((await app.browser().post('/auth', { form: 'sign-in', email: next, password: PASSWORD })).status).toBe(400);
    expect(await open(email)).toMatchObject({ status: 303, location: '/dashboard' });
    expect((await app.browser().post('/auth', { form: 'sign-in', email: next, password: PASSWORD })).status).toBe(303);
  });

  test('or by their codes', async () => {
    const { email, next } = await asked();
    const browser = app.browser();
    const type = (address: string) => browser.post('/auth/confirm', { form: 'code', email: address, code: mailTo(address).code });
    expect(await type(next)).toMatchObject(HALFWAY);
    expect(await type(email)).toMatchObject({ status: 303, location: '/dashboard' });
    expect((await app.browser().post('/auth', { form: 'sign-in', email: next, password: PASSWORD })).status).toBe(303);
  });
});

describe('what the service refuses', () => {
  test('a weak password: one line for each reason, the e-mail kept and the password not given back', async () => {
    const answer = await inScenario('weak-password', () =>
      app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email: 'weak@example.com', password: 'a weak one' }),
    );
    expect(answer.status).toBe(400);
    const body = JSON.stringify(answer.action);
    for (const said of ['passwordTooShort', 'passwordTooSimple', 'passwordLeaked', 'weak@example.com']) expect(body).toContain(said);
    expect(body).not.toContain('a weak one');
  });

  test('too many requests: never told as sent, with a time to wait, and nothing lost', async () => {
    const email = await confirmed();
    const posts = [
      ['/auth', { form: 'sign-in', email, password: PASSWORD }],
      ['/auth?mode=sign-up', { form: 'sign-up', email: newEmail(), password: PASSWORD }],
      ['/reset-password', { form: 'request', email }],
      ['/auth/confirm', { form: 'resend', email }],
    ] as const;
    for (const [path, form] of posts) {
      const answer = await inScenario('rate-limited', () => app.browser().post(path, form));
      expect(answer).toMatchObject({ status: 429, location: null, action: { refusal: { group: 'tooMany', text: 'failure.tooMany' } } });
      const { refusal } = answer.action as { refusal: { seconds: number } };
      expect(answer.headers.get('Retry-After')).toBe(String(refusal.seconds));
      expect(refusal.seconds).toBeGreaterThan(0);
      expect(JSON.stringify(answer.action)).toContain(form.email);
    }
  });

  test('an account that is not confirmed answers like a wrong password', async () => {
    const email = await confirmed();
    const answers = [];
    for (const scenario of ['wrong-password', 'unconfirmed'] as const)
      answers.push(await inScenario(scenario, () => app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD })));
    expect(new Set(answers.map(({ status, action }) => JSON.stringify([status, action]))).size).toBe(1);
  });

  test('a wrong password no sooner than an address that nobody has: both leave at a beat', async () => {
    const known = await confirmed();
    const times = await Promise.all(
      [known, newEmail(), known, newEmail()].map(async (email) => {
        const startedAt = performance.now();
        const answer = await app.browser().post('/auth', { form: 'sign-in', email, password: 'not the password' });
        expect(answer.status).toBe(400);
        return performance.now() - startedAt;
      }),
    );
    for (const time of times) expect(time).toBeGreaterThan(490);
  });

  test('something without words: authentication failed, with the reference of the request', async () => {
    app.outage.answer = () => Response.json({ code: 418, error_code: 'a_code_of_tomorrow', msg: 'raw words' }, { status: 400 });
    const answer = await app.browser().post('/auth', { form: 'sign-in', email: newEmail(), password: PASSWORD });
    app.outage.answer = null;
    expect(answer).toMatchObject({
      status: 400,
      action: { refusal: { group: 'other', text: 'failure.other', reference: 'a request of a test' } },
    });
    expect(JSON.stringify(answer.action)).not.toContain('raw words');
  });

  test.each(['unavailable', 'network-cut'] as const)('%s: 503 with what was typed, and nobody is sent to sign in', async (scenario) => {
    const email = await confirmed();
    const answer = await inScenario(scenario, () => app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD }));
    expect(answer).toMatchObject({ status: 503, location: null, action: { refusal: { group: 'unavailable' } } });
    expect(answer.headers.get('Retry-After')).toBe('30');
    expect(JSON.stringify(answer.action)).toContain(email);
  });
});

describe('a session of a hosted project', () => {
  test('is checked with the published keys, fetched once, and each token costs no call', async () => {
    const email = await confirmed();
    const person = app.browser();
    await person.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    const calls: string[] = [];
    app.outage.answer = (url) => {
      calls.push(new URL(url).pathname);
      return null;
    };
    for (let at = 0; at < 3; at += 1) expect((await person.get('/dashboard')).status).toBe(200);
    app.outage.answer = null;
    expect(calls.filter((path) => path.includes('jwks')).length).toBeLessThanOrEqual(1);
    expect(calls.filter((path) => path.endsWith('/user'))).toEqual([]);
  });

  test('that the service has ended is over at once', async () => {
    const email = await confirmed();
    const person = app.browser();
    await person.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    expect((await person.get('/dashboard')).status).toBe(200);
    await app.mock?.endSessions(() => true);
    expect(await person.get('/dashboard')).toMatchObject({ status: 302, location: '/auth' });
  });
});

test('a picture stands in a private bucket, made with the first one, and goes with the account', async () => {
  const email = await confirmed();
  const browser = app.browser();
  await browser.post('/auth', { form: 'sign-in', email, password: PASSWORD });
  const me = (await browser.get('/dashboard/runs')).data as { userId: string; workspace: { id: string } };
  const content = pngOf(320, 240);
  const form = new FormData();
  form.set('workspace', me.workspace.id);
  form.set('picture', new File([new Uint8Array(content)], 'me.png', { type: 'image/png' }));
  expect((await browser.upload('/dashboard/account/profile/picture', form)).status).toBe(303);
  const bucket = app.mock?.buckets.get('quorate');
  expect([...(bucket?.values() ?? [])]).toMatchObject([{ mediaType: 'image/png', cacheControl: 'max-age=3600' }]);
  const served = await browser.get(`/dashboard/avatars/${me.userId}`);
  expect(Buffer.from(served.bytes)).toEqual(content);
  expect(served.headers.get('Content-Type')).toBe('image/png');
  expect((await browser.upload('/dashboard/account/profile/picture', form)).status).toBe(303);
  expect(bucket?.size).toBe(1);
  expect((await browser.post('/dashboard/account/profile/picture', { workspace: me.workspace.id, form: 'remove' })).status).toBe(303);
  expect(bucket?.size).toBe(0);
});

describe('a second factor', () => {
  const FACTOR = '/dashboard/account/security/factor';
  type Setup = { setup: { secret: string; picture: string; state: string } | null; codes: string[] | null };
  const codeOf = (secret: string, later = 0) => totpCode(secret, totpStep(new Date()) + later);
  const wrong = (secret: string) => ([0, 1, -1].some((step) => codeOf(secret, step) === '000000') ? '111111' : '000000');
  const signIn = async (email: string, password = PASSWORD, next = '/dashboard/runs?status=failed') => {
    const browser = app.browser();
    const answer = await browser.post(`/auth?next=${encodeURIComponent(next)}`, { form: 'sign-in', email, password });
    return { browser, answer };
  };

  async function enrolled() {
    const email = await confirmed();
    const { browser } = await signIn(email);
    const { workspace } = (await browser.get('/dashboard/runs')).data as { workspace: { id: string } };
    const form = { workspace: workspace.id };
    const begun = await browser.post(FACTOR, { ...form, form: 'start', currentPassword: PASSWORD });
    const { setup } = begun.action as Setup;
    if (setup === null) throw new Error(`no setup: ${JSON.stringify(begun.action)}`);
    const turnedOn = await browser.post(FACTOR, { ...form, form: 'verify', state: setup.state, code: codeOf(setup.secret) });
    const { codes } = turnedOn.action as Setup;
    if (codes === null) throw new Error(`no codes: ${JSON.stringify(turnedOn.action)}`);
    // As if half a minute had gone by: what the app shows now is taken once more. Nothing here depends on the place of the clock in it.
    const user = app.mock?.userByEmail(email);
    for (const factor of user?.factors ?? []) factor.usedStep = 0;
    if (user) await app.mock?.saveUser(user);
    return { email, browser, form, secret: setup.secret, codes };
  }

  test('is set up after the password, survives a wrong code, and gives ten codes of which hashes alone are kept', async () => {
    const email = await confirmed();
    const { browser } = await signIn(email);
    const elsewhere = (await signIn(email)).browser;
    const { workspace, userId } = (await browser.get('/dashboard/runs')).data as { workspace: { id: string }; userId: string };
    const form = { workspace: workspace.id };
    expect((await browser.post(FACTOR, { ...form, form: 'start', currentPassword: 'wrong' })).status).toBe(400);
    const { setup } = (await browser.post(FACTOR, { ...form, form: 'start', currentPassword: PASSWORD })).action as Setup;
    expect(setup?.picture).toMatch(/^data:image\/svg\+xml;base64,/);
    const state = setup?.state ?? '';
    const secret = setup?.secret ?? '';
    const missed = await browser.post(FACTOR, { ...form, form: 'verify', state, code: wrong(secret) });
    expect(missed).toMatchObject({ status: 400, action: { setup: { secret } } });
    expect(await elsewhere.post(FACTOR, { ...form, form: 'verify', state, code: codeOf(secret) })).toMatchObject({
      status: 400,
      action: { setup: null },
    });
    const { codes } = (await browser.post(FACTOR, { ...form, form: 'verify', state, code: codeOf(secret) })).action as Setup;
    expect(new Set(codes).size).toBe(10);
    expect((await browser.get(FACTOR)).data).toEqual({ app: true, passkeys: 0, enrolled: true, recovered: false, codesLeft: 10 });
    const kept = await app.db.owner.query('select code_hash::text as hash from quorate.recovery_codes where user_id = $1', [userId]);
    expect(kept.rowCount).toBe(10);
    expect(kept.rows.some(({ hash }) => codes?.some((code) => hash.includes(code)))).toBe(false);
    expect(app.mails.findLast((mail) => mail.to === email)?.subject).toContain('authenticator app was added');
    // The service ends what has shown a password alone.
    expect((await elsewhere.get('/dashboard/runs')).location).toContain('/auth');
  });

  test('is asked for after the password, before anything else opens, and leads on', async () => {
    const { email, secret } = await enrolled();
    const { browser, answer } = await signIn(email);
    expect(answer).toMatchObject({ status: 303, location: '/dashboard/runs?status=failed' });
    const asked = await browser.get('/dashboard/runs?status=failed');
    expect(asked.location).toBe(`/auth/factor?next=${encodeURIComponent('/dashboard/runs?status=failed')}`);
    for (const path of ['/dashboard', '/dashboard/account/profile', '/dashboard/account/data/export', '/invitations/unknown'])
      expect((await browser.get(path)).location).toContain('/auth/factor');
    const kept = await browser.post('/dashboard/account/profile', { name: 'Typed' });
    expect(kept).toMatchObject({ status: 401, error: { data: { kept: 'sessionOver' } } });
    expect((await browser.post('/auth/calls', { call: 'updateProfile', name: 'X' })).status).toBe(403);
    const path = asked.location ?? '';
    expect((await browser.get(path)).data).toEqual({ state: 'asked', passkey: false, code: true });
    expect((await browser.post(path, { form: 'code', code: wrong(secret) })).status).toBe(400);
    const code = codeOf(secret);
    expect(await browser.post(path, { form: 'code', code })).toMatchObject({ status: 303, location: '/dashboard/runs?status=failed' });
    expect((await browser.get('/dashboard/runs?status=failed')).status).toBe(200);
    expect((await browser.get(path)).location).toBe('/dashboard/runs?status=failed');
    // The same code once more, in another browser.
    const second = (await signIn(email)).browser;
    expect((await second.post('/auth/factor', { form: 'code', code })).status).toBe(400);
    expect(await app.browser().get('/auth/factor')).toMatchObject({ status: 200, data: { state: 'nobody' } });
  });

  test('takes ten wrong codes, then none for a while, and tells a limit of the service from a wrong code', async () => {
    const { email, secret } = await enrolled();
    const { browser } = await signIn(email);
    const limited = await inScenario('rate-limited', () => browser.post('/auth/factor', { form: 'code', code: codeOf(secret) }));
    expect(limited.status).toBe(429);
    for (let miss = 1; miss < 10; miss += 1)
      expect((await browser.post('/auth/factor', { form: 'code', code: wrong(secret) })).status).toBe(400);
    const refused = await browser.post('/auth/factor', { form: 'code', code: codeOf(secret) });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await browser.get('/dashboard')).location).toBe('/auth/factor');
  });

  test('can be passed by a recovery code, once, which does not let credentials change before the lost one is removed', async () => {
    const { email, form, codes } = await enrolled();
    const [code = ''] = codes;
    const { browser } = await signIn(email);
    expect((await browser.post('/auth/factor', { form: 'recovery', recoveryCode: 'aaaa-bbbb-cccc-dddd' })).status).toBe(400);
    const typed = code.toUpperCase().replaceAll('-', ' ');
    expect((await browser.post('/auth/factor', { form: 'recovery', recoveryCode: typed })).status).toBe(303);
    expect(app.mails.findLast((mail) => mail.to === email)?.subject).toContain('recovery code was used');
    expect((await browser.get(FACTOR)).data).toEqual({ app: true, passkeys: 0, enrolled: true, recovered: true, codesLeft: 9 });
    const { browser: again } = await signIn(email);
    expect((await again.post('/auth/factor', { form: 'recovery', recoveryCode: code })).status).toBe(400);
    expect((await again.get('/dashboard')).location).toBe('/auth/factor');
    const security = '/dashboard/account/security';
    const next = { ...form, form: 'password', currentPassword: PASSWORD, newPassword: 'another good one' };
    expect(JSON.stringify((await browser.post(security, next)).action)).toContain('secondFactorFirst');
    expect((await browser.post(FACTOR, { ...form, form: 'codes', currentPassword: PASSWORD })).status).toBe(400);
    expect((await browser.post(FACTOR, { ...form, form: 'remove', currentPassword: 'wrong' })).status).toBe(400);
    expect((await browser.post(FACTOR, { ...form, form: 'remove', currentPassword: PASSWORD })).status).toBe(303);
    expect((await browser.get(FACTOR)).data).toMatchObject({ enrolled: false, codesLeft: 0 });
    expect((await browser.post(security, next)).status).toBe(303);
    const actions = await app.db.owner.query('select action from quorate.audit_events where workspace_id = $1', [form.workspace]);
    expect(actions.rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.factorAdded', 'account.recoveryCodeUsed', 'account.factorRemoved']),
    );
  });

  test('is removed by who has shown it; new codes make the old ones void', async () => {
    const { email, browser, form, codes } = await enrolled();
    const { codes: renewed } = (await browser.post(FACTOR, { ...form, form: 'codes', currentPassword: PASSWORD })).action as Setup;
    expect(renewed?.length).toBe(10);
    const { browser: other } = await signIn(email);
    expect((await other.post('/auth/factor', { form: 'recovery', recoveryCode: codes[1] ?? '' })).status).toBe(400);
    expect((await browser.post(FACTOR, { ...form, form: 'remove', currentPassword: PASSWORD })).status).toBe(303);
    expect((await signIn(email)).answer.status).toBe(303);
    expect((await other.get('/dashboard/runs')).status).toBe(200);
  });

  test('is urged on who alone rules a workspace by a password', async () => {
    const email = await confirmed();
    const { browser } = await signIn(email);
    const security = '/dashboard/account/security';
    expect((await browser.get(security)).data).toMatchObject({ enrolled: false, alone: true });
    const { workspace } = (await browser.get('/dashboard/runs')).data as { workspace: { id: string } };
    const second = await app.db.makeUser();
    await app.db.arrange(workspace.id, async (client) => {
      await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{admin}', 'B', $3)`, [
        workspace.id,
        second.id,
        second.email,
      ]);
    });
    expect((await browser.get(security)).data).toMatchObject({ enrolled: false, alone: false });
    const enrolledOne = await enrolled();
    expect((await enrolledOne.browser.get(security)).data).toMatchObject({ enrolled: true, alone: false });
  });

  test('is not passed by a link of recovery: it is asked for, and then the password is set', async () => {
    const { email, secret, codes } = await enrolled();
    const reset = async () => {
      const person = app.browser();
      await app.db.owner.query('delete from quorate.rate_limits');
      await person.post('/reset-password', { form: 'request', email });
      const link = await defaultLink(email);
      const answer = await person.post(`${link.pathname}${link.search}`, { form: 'choose', password: 'another good one' });
      expect(answer).toMatchObject({ status: 303, location: '/auth/factor' });
      return person;
    };
    const person = await reset();
    expect((await person.get('/dashboard')).location).toMatch(/^\/(?:reset-password|auth\/factor)/);
    expect(await person.post('/auth/factor', { form: 'code', code: codeOf(secret) })).toMatchObject({ location: '/reset-password' });
    expect((await person.post('/reset-password', { form: 'choose', password: 'another good one' })).location).toBe('/dashboard');
    expect((await person.get('/dashboard')).status).toBe(200);
    expect(codes.length).toBe(10);
  });
});
