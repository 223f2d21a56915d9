/** Sign-in by a mailed link or its six digits, on the embedded account service and on a hosted one, which the handlers play. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Browser, COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

const SENT = { status: 303, location: '/auth/mail?sent=1' };
const OVER = { status: 400, action: { refusal: { group: 'link' } } };
let people = 0;
const newEmail = () => `mailed-${++people}@example.com`;
const ask = (browser: Browser, email: string, query = '') => browser.post(`/auth/mail${query}`, { form: 'ask', email });

describe.each([false, true])('hosted: %s; signing in by mail', (hosted) => {
  let app: IdentityApp;
  beforeAll(async () => {
    app = await startIdentityApp({ hosted });
  });
  beforeEach(() => app.db.owner.query('delete from quorate.rate_limits'));
  afterAll(() => app.close());

  async function account(): Promise<string> {
    const email = newEmail();
    if (app.mock === null) await app.newcomer(email);
    else await app.mock.addUser({ email, password: PASSWORD, confirmedAt: new Date() });
    // A minute has passed, as far as the pace of mails goes.
    await app.db.owner.query('delete from quorate.rate_limits');
    return email;
  }
  const codeTo = (email: string) =>
    app.mock === null
      ? (/\b(\d{6})\b/.exec(app.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? '')
      : (app.mock.mails.findLast(({ to }) => to === email)?.code ?? '');
  const mailsTo = (email: string) => (app.mock?.mails ?? app.mails).filter(({ to }) => to === email).length;

  test('opens a session by the link in the browser that asked, once, and leads to where one was going', async () => {
    const email = await account();
    const person = app.browser();
    expect(await ask(person, email, '?next=%2Fdashboard%2Fruns%3Fpage%3D2')).toMatchObject(SENT);
    expect((await person.get('/auth/mail?sent=1')).data).toMatchObject({ state: 'sent', email });
    const opened = await person.get(app.linkTo(email));
    const link = opened.location ?? '';
    expect(link).toMatch(/^\/auth\/mail\?token_hash=\w+&type=magiclink$/);
    // Scanners of mails open links; only the button uses one.
    for (let scan = 0; scan < 2; scan += 1) expect((await person.get(link)).data).toMatchObject({ state: 'ready', email });
    const before = person.copy();
    expect(await person.post(link, { form: 'link' })).toMatchObject({ status: 303, location: '/dashboard/runs?page=2' });
    expect((await person.get('/dashboard/runs')).data).toMatchObject({ email });
    expect(await before.post(link, { form: 'link' })).toMatchObject(OVER);
    expect(before.cookies.has(COOKIE)).toBe(false);
  });

  test('takes the code in any browser, and the link in no other', async () => {
    const email = await account();
    const asking = app.browser();
    await ask(asking, email);
    const other = app.browser();
    const link = (await other.get(app.linkTo(email))).location ?? '';
    expect((await other.get(link)).data).toMatchObject({ state: 'elsewhere' });
    expect(await other.post(link, { form: 'link' })).toMatchObject(OVER);
    const code = codeTo(email);
    const wrong = await other.post('/auth/mail?sent=1', { form: 'code', email, code: code === '000000' ? '000001' : '000000' });
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.action)).toContain('codeWrong');
    expect(await other.post('/auth/mail', { form: 'code', email, code })).toMatchObject({ status: 303, location: '/dashboard' });
    expect((await other.get('/dashboard/runs')).data).toMatchObject({ email });
    expect(await asking.post(link, { form: 'link' })).toMatchObject(OVER);
  });

  test('opens nothing by a link for another address, though the browser has asked for its own', async () => {
    const [email, others] = [await account(), await account()];
    const [person, stranger] = [app.browser(), app.browser()];
    await ask(stranger, others);
    const link = (await stranger.get(app.linkTo(others))).location ?? '';
    await ask(person, email);
    expect(await person.post(link, { form: 'link' })).toMatchObject(OVER);
    expect(person.cookies.has(COOKIE)).toBe(false);
    expect((await person.get('/dashboard/runs')).status).toBe(302);
  });

  test('answers an address without an account alike, and makes none', async () => {
    const [email, nobody] = [await account(), newEmail()];
    const before = mailsTo(email);
    const [known, unknown] = [await ask(app.browser(), email), await ask(app.browser(), nobody)];
    const without = ({ status, location, headers }: Answer) =>
      JSON.stringify([status, location, ...headers])
        .replace(/(auth_email|auth_mail|-flow-\w+-code-verifier|[\w-]+-code-verifier)=[^;]+/g, '…')
        .replace(/flow-\w{32}/, 'flow');
    expect(without(unknown)).toBe(without(known));
    expect([mailsTo(email) - before, mailsTo(nobody)]).toEqual([1, 0]);
    expect((await app.db.owner.query('select from auth.users where email = $1', [nobody])).rows).toEqual([]);
    expect((await app.browser().post('/auth/mail', { form: 'code', email: nobody, code: '123456' })).status).toBe(400);
  });

  test('is paced as the reset of a password is, together with it', async () => {
    const email = await account();
    await ask(app.browser(), email);
    for (const again of [await ask(app.browser(), email), await app.browser().post('/reset-password', { form: 'request', email })]) {
      expect(again.status).toBe(429);
      expect(Number(again.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
  });

  test('counts guesses of the code and of the link together: after six the right one is refused too', async () => {
    const email = await account();
    const person = app.browser();
    await ask(person, email);
    const code = codeTo(email);
    for (let tries = 0; tries < 3; tries += 1) {
      await app.browser().post('/auth/mail', { form: 'code', email, code: code === '000000' ? '000001' : '000000' });
      expect(await person.post(`/auth/mail?token_hash=${'a'.repeat(64)}&type=magiclink`, { form: 'link' })).toMatchObject(OVER);
    }
    expect((await app.browser().post('/auth/mail', { form: 'code', email, code })).status).toBe(429);
    expect((await person.post((await person.get(app.linkTo(email))).location ?? '', { form: 'link' })).status).toBe(429);
  });

  test('ends ten minutes after the mail, for the link and for the code', async () => {
    const email = await account();
    const person = app.browser();
    await ask(person, email);
    const user = app.mock?.userByEmail(email);
    if (user) user.recoverySentAt = new Date(Date.now() - 11 * 60_000);
    await app.db.owner.query(`update auth.users set recovery_sent_at = recovery_sent_at - interval '11 minutes' where email = $1`, [email]);
    const other = app.browser();
    expect((await other.post('/auth/mail', { form: 'code', email, code: codeTo(email) })).status).toBe(400);
    expect(await person.post((await person.get(app.linkTo(email))).location ?? '', { form: 'link' })).toMatchObject(OVER);
    expect([other, person].map(({ cookies }) => cookies.has(COOKIE))).toEqual([false, false]);
  });

  test('says so when the service does not answer', async () => {
    const email = await account();
    app.outage.answer = (url) => (url.includes('/otp') || url.includes('/verify') ? new Response(null, { status: 503 }) : null);
    const person = app.browser();
    expect(await ask(person, email)).toMatchObject({ status: 503, action: { refusal: { group: 'unavailable' } } });
    expect((await person.post('/auth/mail', { form: 'code', email, code: '123456' })).status).toBe(503);
    app.outage.answer = null;
  });
});

describe('after signing in by mail', () => {
  let app: IdentityApp;
  beforeAll(async () => {
    app = await startIdentityApp();
  });
  afterAll(() => app.close());

  async function mailed(email: string, next: string): Promise<Answer & { person: Browser }> {
    await app.db.owner.query('delete from quorate.rate_limits');
    const person = app.browser();
    await ask(person, email, `?next=${encodeURIComponent(next)}`);
    const link = (await person.get(app.linkTo(email))).location ?? '';
    const opened = await person.post(link, { form: 'link' });
    return { ...opened, person };
  }
  type Me = { userId: string; workspace: { id: string } };

  test('a second factor is owed as after a password', async () => {
    const email = newEmail();
    const me = (await (await app.newcomer(email)).get('/dashboard/runs')).data as Me;
    await app.db.owner.query(
      `insert into quorate.passkeys (id, user_id, credential_id, public_key, counter, name)
        values ($1, $2, decode(repeat('01', 32), 'hex'), decode(repeat('02', 80), 'hex'), 0, 'Laptop')`,
      [crypto.randomUUID(), me.userId],
    );
    const { person, location } = await mailed(email, '/dashboard/runs');
    expect(location).toBe('/dashboard/runs');
    expect(await person.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth/factor?next=%2Fdashboard%2Fruns' });
  });

  test('the rules of a workspace for sessions hold', async () => {
    const email = newEmail();
    const me = (await (await app.newcomer(email)).get('/dashboard/runs')).data as Me;
    await app.db.arrange(me.workspace.id, async (client) => {
      await client.query(`update quorate.workspaces set session_rules = '{"hours":null,"idleMinutes":null,"factor":true,"networks":[]}'
        where id = '${me.workspace.id}'`);
    });
    const { person } = await mailed(email, '/dashboard/runs');
    expect(await person.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth/factor/setup?next=%2Fdashboard%2Fruns' });
  });

  test('an account that was never confirmed gets a mail for a new password instead, and its code signs nobody in', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: 'chosen by a stranger' });
    await app.db.owner.query('delete from quorate.rate_limits');
    const person = app.browser();
    expect(await ask(person, email)).toMatchObject(SENT);
    expect((await person.get(app.linkTo(email))).location).toMatch(/^\/reset-password\?/);
    const code = /\b(\d{6})\b/.exec(app.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? '';
    expect((await person.post('/auth/mail', { form: 'code', email, code })).status).toBe(400);
    expect(person.cookies.has(COOKIE)).toBe(false);
  });
});
