/** The product on a hosted project, which the handlers play: its default links, its refusals, its outages. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inScenario } from '#tests/mocks/scenarios.ts';
import { COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

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

describe('what the service refuses', () => {
  test('a weak password: one line for each reason, the e-mail kept and the password not given back', async () => {
    const answer = await inScenario('weak-password', () =>
      app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email: 'weak@example.com', password: 'password1' }),
    );
    expect(answer.status).toBe(400);
    const body = JSON.stringify(answer.action);
    for (const said of ['passwordTooShort', 'passwordTooSimple', 'passwordLeaked', 'weak@example.com']) expect(body).toContain(said);
    expect(body).not.toContain('password1');
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
      expect(answer).toMatchObject({ status: 429, location: null, action: { refusal: { group: 'tooMany' } } });
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
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
  const content = Buffer.from('89504e470d0a1a0a0000000d4948445200000140000000f008060000000000000000', 'hex');
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
