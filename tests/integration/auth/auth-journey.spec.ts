import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `person-${++people}@example.com`;

describe('signing up', () => {
  test('leads through the mail to a workspace of one’s own, and back to where one was going', async () => {
    const email = newEmail();
    const person = app.browser();
    const guarded = await person.get('/dashboard/runs?page=2');
    expect(guarded).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns%3Fpage%3D2' });

    const signedUp = await person.post('/auth?mode=sign-up&next=%2Fdashboard%2Fruns%3Fpage%3D2', {
      form: 'sign-up',
      email,
      password: PASSWORD,
      name: 'Ada Lovelace',
    });
    expect(signedUp).toMatchObject({ status: 303, location: '/auth/confirm?sent=signup' });
    expect([...person.cookies.keys()]).toEqual(['auth_next', 'auth_email']);
    expect(await person.get('/dashboard')).toMatchObject({ status: 302, location: '/auth' });

    const link = app.linkTo(email);
    for (let scan = 0; scan < 2; scan += 1) expect(await person.get(link)).toMatchObject({ status: 200, data: { state: 'ready' } });
    const confirmed = await person.post(link, { form: 'link' });
    expect(confirmed).toMatchObject({ status: 303, location: '/dashboard/runs?page=2' });

    const { data } = await person.get('/dashboard/runs');
    expect(data).toMatchObject({
      email,
      name: 'Ada Lovelace',
      roles: ['user', 'builder', 'admin'],
      workspace: { name: 'Ada Lovelace’s workspace' },
    });
    const profile = await app.db.owner.query('select role, display_name from public.profiles where id = $1', [
      (data as { userId: string }).userId,
    ]);
    expect(profile.rows).toEqual([{ role: 'user', display_name: 'Ada Lovelace' }]);
  });

  test('sets a cookie that scripts cannot read and other sites do not send', async () => {
    const person = app.browser();
    const email = newEmail();
    await person.post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    const { headers } = await person.post(app.linkTo(email), { form: 'link' });
    const cookie = headers.getSetCookie().find((line) => line.startsWith(COOKIE)) ?? '';
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).toMatch(/Path=\//);
    expect(cookie).not.toMatch(/Domain/i);
    expect(cookie.length).toBeLessThan(4096);
    expect(headers.get('Cache-Control')).toBe('private, no-store');
    expect(headers.get('Vary')).toContain('Cookie');
  });

  test('refuses a short password beside the field, keeps the e-mail and never gives the password back', async () => {
    const answer = await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email: 'ada@example.com', password: 'abcde' });
    expect(answer.status).toBe(400);
    const body = JSON.stringify(answer.action);
    expect(body).toContain('tooShort?minimum=6');
    expect(body).toContain('ada@example.com');
    expect(body).not.toContain('abcde');
  });

  test('refuses a password that is known from leaks, in any case and with digits behind it', async () => {
    const email = newEmail();
    for (const password of ['password', 'Password2026', 'iloveyou!']) {
      const answer = await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password });
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.action)).toContain('passwordLeaked');
    }
    expect((await app.db.owner.query('select from auth.users where email = $1', [email])).rows).toEqual([]);
    expect((await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD })).status).toBe(303);
  });

  test('answers an address that has an account exactly as a new one, and its owner gets a mail', async () => {
    const taken = newEmail();
    await app.newcomer(taken);
    const before = app.mails.length;
    const form = { form: 'sign-up', password: PASSWORD, name: 'Mallory' };
    // A minute has passed since the sign-up, as far as the pace of mails goes.
    await app.db.owner.query('delete from quorate.rate_limits');
    const [known, fresh] = [
      await app.browser().post('/auth?mode=sign-up', { ...form, email: taken }),
      await app.browser().post('/auth?mode=sign-up', { ...form, email: newEmail() }),
    ];
    expect(known.status).toBe(fresh.status);
    expect(known.location).toBe(fresh.location);
    // The address that was typed is remembered in the browser that typed it.
    const without = ({ headers }: typeof known) => JSON.stringify([...headers]).replace(/auth_email=[^;]+/, 'auth_email=…');
    expect(without(known)).toBe(without(fresh));
    expect(app.mails.slice(before).map((mail) => mail.to)).toContain(taken);
    // The password that a stranger typed is not the account's.
    expect(await app.browser().post('/auth', { form: 'sign-in', email: taken, password: PASSWORD })).toMatchObject({ status: 303 });
  });
});

describe('an e-mailed link', () => {
  test('works once', async () => {
    const email = newEmail();
    await app.newcomer(email);
    const again = await app.browser().post(app.linkTo(email), { form: 'link' });
    expect(again).toMatchObject({ status: 400, action: { refusal: { group: 'link' } } });
  });

  test.each([
    ['missing', '/auth/confirm', 'missing'],
    ['garbled', '/auth/confirm?token_hash=x&type=signup', 'garbled'],
    ['of a type that does not exist', `/auth/confirm?token_hash=${'a'.repeat(64)}&type=root`, 'garbled'],
    ['refused by the service', '/auth/confirm?error=access_denied&error_code=otp_expired', 'over'],
    ['no longer good, and whose code was not right', '/auth/confirm?was=over', 'over'],
    ['damaged, and whose code was not right', '/auth/confirm?was=garbled', 'garbled'],
  ])('that is %s is a page with a way on', async (_, path, state) => {
    expect(await app.browser().get(path)).toMatchObject({ status: 400, data: { state } });
  });

  test('older than an hour is refused, with its code', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    const code = /\b(\d{6})\b/.exec(app.mails.findLast((mail) => mail.to === email)?.text ?? '')?.[1] ?? '';
    await app.db.owner.query(`update auth.users set confirmation_sent_at = now() - interval '61 minutes' where email = $1`, [email]);
    const person = app.browser();
    expect(await person.post(app.linkTo(email), { form: 'link' })).toMatchObject({ status: 400, action: { refusal: { group: 'link' } } });
    expect((await person.post('/auth/confirm', { form: 'code', email, code })).status).toBe(400);
    expect(person.cookies.has(COOKIE)).toBe(false);
  });

  test('that was never sent is refused', async () => {
    const answer = await app.browser().post(`/auth/confirm?token_hash=${'a'.repeat(64)}&type=signup`, { form: 'link' });
    expect(answer).toMatchObject({ status: 400, action: { refusal: { group: 'link' } } });
  });

  test('has a code beside it, which works in any browser', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    const code = /\b(\d{6})\b/.exec(app.mails.findLast((mail) => mail.to === email)?.text ?? '')?.[1] ?? '';
    const other = app.browser();
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await other.post('/auth/confirm', { form: 'code', email, code: wrong })).status).toBe(400);
    expect(await other.post('/auth/confirm', { form: 'code', email, code })).toMatchObject({ status: 303, location: '/dashboard' });
  });

  test('code cannot be guessed: after six tries none is taken any longer, the right one neither', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    const code = /\b(\d{6})\b/.exec(app.mails.findLast((mail) => mail.to === email)?.text ?? '')?.[1] ?? '';
    const wrong = code === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < 6; tries += 1) await app.browser().post('/auth/confirm', { form: 'code', email, code: wrong });
    const answer = await app.browser().post('/auth/confirm', { form: 'code', email, code });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(60);
  });

  test('can be asked for again, at a pace, and the answer does not tell whether there is an account', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    await app.db.owner.query('delete from quorate.rate_limits');
    const before = app.mails.length;
    for (const address of [email, 'nobody-here@example.com']) {
      const asked = await app.browser().post('/auth/confirm', { form: 'resend', email: address });
      expect(asked).toMatchObject({ status: 303, location: '/auth/confirm?sent=again' });
      expect((await app.browser().post('/auth/confirm', { form: 'resend', email: address })).status).toBe(429);
    }
    expect(app.mails.slice(before).map((mail) => mail.to)).toEqual([email]);
  });
});

describe('signing in', () => {
  test('answers a wrong password, an unknown address and an unconfirmed account alike', async () => {
    const confirmed = newEmail();
    await app.newcomer(confirmed);
    const unconfirmed = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email: unconfirmed, password: PASSWORD });
    const attempts = [
      { email: confirmed, password: 'not the password' },
      { email: 'nobody-at-all@example.com', password: 'not the password' },
      { email: unconfirmed, password: 'not the password' },
      { email: unconfirmed, password: PASSWORD },
      { email: confirmed, password: 'x'.repeat(200) },
    ];
    const times: number[] = [];
    for (const attempt of attempts) {
      const startedAt = performance.now();
      const answer = await app.browser().post('/auth', { form: 'sign-in', ...attempt });
      times.push(performance.now() - startedAt);
      expect(answer).toMatchObject({ status: 400, action: { refusal: { group: 'wrongDetails', text: 'failure.wrongDetails' } } });
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(JSON.stringify(answer.action)).not.toContain(attempt.password);
    }
    for (const time of times) expect(time).toBeGreaterThan(490);
  });

  test('after ten wrong passwords is refused from there with a time to wait, and the owner elsewhere gets in', async () => {
    const email = newEmail();
    await app.newcomer(email);
    const attacker = app.browser();
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        attacker.post('/auth', { form: 'sign-in', email, password: 'not the password' }, { 'X-Forwarded-For': `10.0.0.${at}` }),
      ),
    );
    expect(tries.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = tries.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(2);
    expect(Number(refused[0]?.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD })).toMatchObject({ status: 303 });
  });

  test('cannot be kept from its owner by someone who continues at one address after being refused', async () => {
    const email = newEmail();
    await app.newcomer(email);
    await app.db.owner.query('delete from quorate.rate_limits');
    const attacker = app.browser('203.0.113.66');
    const tries = await Promise.all(
      Array.from({ length: 60 }, () => attacker.copy().post('/auth', { form: 'sign-in', email, password: 'not the password' })),
    );
    expect(tries.filter((answer) => answer.status === 429)).toHaveLength(50);
    expect(await app.browser('198.51.100.7').post('/auth', { form: 'sign-in', email, password: PASSWORD })).toMatchObject({ status: 303 });
  });

  test('takes a password as it was chosen: 72 bytes, spaces at its ends, any script, and not one byte less', async () => {
    for (const password of ['p'.repeat(72), '  pässwörd 秘密 مفتاح  ']) {
      const email = newEmail();
      await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password });
      await app.browser().post(app.linkTo(email), { form: 'link' });
      expect((await app.browser().post('/auth', { form: 'sign-in', email, password })).status).toBe(303);
      const nearly = password.startsWith(' ') ? password.trim() : password.slice(0, -1);
      expect((await app.browser().post('/auth', { form: 'sign-in', email, password: nearly })).status).toBe(400);
    }
    const tooLong = await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email: newEmail(), password: 'ä'.repeat(37) });
    expect(JSON.stringify(tooLong.action)).toContain('passwordTooLong');
  });

  test('counts only what was wrong', async () => {
    const email = newEmail();
    await app.newcomer(email);
    await app.db.owner.query('delete from quorate.rate_limits');
    const person = app.browser();
    await person.post('/auth', { form: 'sign-in', email, password: 'not the password' });
    await person.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    const { rows } = await app.db.owner.query('select hits from quorate.rate_limits order by key');
    expect(rows).toEqual([{ hits: 1 }, { hits: 1 }, { hits: 1 }]);
  });

  test('does not adopt a session that was planted before', async () => {
    const planted = await app.newcomer(newEmail());
    const email = newEmail();
    await app.newcomer(email);
    const before = planted.cookies.get(COOKIE);
    expect(await planted.get('/auth')).toMatchObject({ status: 302, location: '/dashboard' });
    expect(await planted.post('/auth', { form: 'sign-in', email, password: PASSWORD })).toMatchObject({ status: 303 });
    expect(planted.cookies.get(COOKIE)).not.toBe(before);
    expect((await planted.get('/dashboard')).data).toMatchObject({ email });
  });

  test('names a mode that does not exist', async () => {
    expect(await app.browser().get('/auth?mode=root')).toMatchObject({ status: 400, data: { invalidMode: true, mode: 'sign-in' } });
  });

  test('says that the service does not answer, with 503, and counts nothing', async () => {
    const email = newEmail();
    await app.newcomer(email);
    await app.db.owner.query('delete from quorate.rate_limits');
    app.outage.answer = () => new Response('{}', { status: 503 });
    try {
      const answer = await app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD });
      expect(answer).toMatchObject({ status: 503, action: { refusal: { group: 'unavailable' } } });
    } finally {
      app.outage.answer = null;
    }
    const { rows } = await app.db.owner.query('select max(hits) as hits from quorate.rate_limits');
    expect(rows).toEqual([{ hits: 0 }]);
  });
});

describe('a new password', () => {
  test('is set through the mail; all other sessions end, the owner is told, and the old password is no good', async () => {
    const email = newEmail();
    const elsewhere = await app.newcomer(email);
    const person = app.browser();
    expect(await person.post('/reset-password', { form: 'request', email })).toMatchObject({
      status: 303,
      location: '/reset-password?sent=1',
    });
    const link = app.linkTo(email);
    const opened = await person.get(link);
    expect(opened.status).toBe(302);
    const choose = opened.location ?? '';
    expect(choose).toMatch(/^\/reset-password\?token_hash=/);
    for (let scan = 0; scan < 2; scan += 1) expect(await person.get(choose)).toMatchObject({ status: 200, data: { state: 'choose' } });
    expect((await person.post(choose, { form: 'choose', password: 'short' })).status).toBe(400);
    const leaked = await person.post(choose, { form: 'choose', password: 'iloveyou1' });
    expect(JSON.stringify(leaked.action)).toContain('passwordLeaked');
    // A password that is not well formed, or known from leaks, does not use the link up, and signs nobody in.
    expect(await person.get('/dashboard')).toMatchObject({ status: 302 });

    const changed = await person.post(choose, { form: 'choose', password: 'another good one' });
    expect(changed).toMatchObject({ status: 303, location: '/dashboard' });
    expect((await person.get('/dashboard')).data).toMatchObject({ email });
    expect(await elsewhere.get('/dashboard')).toMatchObject({ status: 302, location: '/auth' });
    expect(app.mails.findLast((mail) => mail.to === email)?.subject).toBe('Your Quorate password was changed');
    expect((await app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD })).status).toBe(400);
    expect((await app.browser().post('/auth', { form: 'sign-in', email, password: 'another good one' })).status).toBe(303);
    expect(await app.browser().post(choose, { form: 'choose', password: 'a third one' })).toMatchObject({
      status: 400,
      action: { refusal: { group: 'link' } },
    });
  });

  test('is what its link is for: posted to where links are confirmed, it signs nobody in', async () => {
    const email = newEmail();
    await app.newcomer(email);
    await app.browser().post('/reset-password', { form: 'request', email });
    const person = app.browser();
    const answer = await person.post(app.linkTo(email), { form: 'link' });
    expect(answer.status).toBe(303);
    expect(answer.location).toMatch(/^\/reset-password\?token_hash=/);
    expect(await person.get('/dashboard')).toMatchObject({ status: 302, location: '/auth' });
    expect(await person.post(answer.location ?? '', { form: 'choose', password: 'another good one' })).toMatchObject({ status: 303 });
  });

  test('can be set with the code', async () => {
    const email = newEmail();
    await app.newcomer(email);
    await app.browser().post('/reset-password', { form: 'request', email });
    const code = /\b(\d{6})\b/.exec(app.mails.findLast((mail) => mail.to === email)?.text ?? '')?.[1] ?? '';
    const person = app.browser();
    expect(await person.post('/reset-password?with=code', { form: 'code', email, code, password: 'another good one' })).toMatchObject({
      status: 303,
    });
    expect((await person.get('/dashboard')).data).toMatchObject({ email });
  });

  test('is what its code is for: typed where addresses are confirmed, it signs nobody in', async () => {
    const email = newEmail();
    await app.newcomer(email);
    await app.browser().post('/reset-password', { form: 'request', email });
    const code = /\b(\d{6})\b/.exec(app.mails.findLast((mail) => mail.to === email)?.text ?? '')?.[1] ?? '';
    const person = app.browser();
    expect((await person.post('/auth/confirm', { form: 'code', email, code })).status).toBe(400);
    expect(person.cookies.has(COOKIE)).toBe(false);
    expect(await person.get('/dashboard')).toMatchObject({ status: 302, location: '/auth' });
    // And it still works where it belongs.
    expect((await person.post('/reset-password?with=code', { form: 'code', email, code, password: 'another good one' })).status).toBe(303);
  });

  test('with a wrong code takes as long for an address that nobody has', async () => {
    const email = newEmail();
    await app.newcomer(email);
    for (const address of [email, newEmail()]) {
      const startedAt = performance.now();
      const form = { form: 'code', email: address, code: '000000', password: 'another good one' };
      expect((await app.browser().post('/reset-password?with=code', form)).status).toBe(400);
      expect(performance.now() - startedAt).toBeGreaterThan(490);
    }
  });

  test('is asked for with one answer for every address', async () => {
    const email = newEmail();
    await app.newcomer(email);
    const before = app.mails.length;
    for (const address of [email, 'nobody-to-reset@example.com']) {
      const browser = app.browser();
      expect(await browser.post('/reset-password', { form: 'request', email: address })).toMatchObject({
        status: 303,
        location: '/reset-password?sent=1',
      });
      expect((await browser.post('/reset-password', { form: 'request', email: address })).status).toBe(429);
    }
    expect(app.mails.slice(before).map((mail) => mail.to)).toEqual([email]);
  });

  test('confirms an account that never was', async () => {
    const email = newEmail();
    await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
    await app.db.owner.query('delete from quorate.rate_limits');
    const person = app.browser();
    await person.post('/auth/confirm', { form: 'resend', email });
    const { location } = await person.get(app.linkTo(email));
    expect(await person.post(location ?? '', { form: 'choose', password: 'another good one' })).toMatchObject({ status: 303 });
    expect((await person.get('/dashboard')).data).toMatchObject({ email });
  });
});

describe('the calls of components', () => {
  const answerOf = ({ status, text }: { status: number; text: string }) => ({ status, ...JSON.parse(text) });

  test('do what the forms do, and say in words what was refused', async () => {
    const email = newEmail();
    await app.newcomer(email);
    const person = app.browser();
    expect(answerOf(await person.post('/auth/calls', { call: 'signIn', email, password: 'not the password' }))).toEqual({
      status: 400,
      error: { message: 'The e-mail or the password is not right, or the account is not confirmed yet.' },
    });
    expect(answerOf(await person.post('/auth/calls', { call: 'updateProfile', name: 'Nobody' }))).toMatchObject({
      error: { message: 'No user logged in' },
    });
    expect(answerOf(await person.post('/auth/calls', { call: 'signIn', email, password: PASSWORD }))).toEqual({ status: 200, error: null });
    expect((await person.get('/dashboard')).data).toMatchObject({ email });
    expect(answerOf(await person.post('/auth/calls', { call: 'updateProfile', name: 'Ada', role: 'admin' }))).toEqual({
      status: 200,
      error: null,
    });
    const { rows } = await app.db.owner.query(
      'select p.role, p.display_name from public.profiles p join auth.users u on u.id = p.id where u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ role: 'user', display_name: 'Ada' }]);
    expect(answerOf(await person.post('/auth/calls', { call: 'resetPassword', email }))).toEqual({ status: 200, error: null });
    expect(answerOf(await person.post('/auth/calls', { call: 'signOut' }))).toEqual({ status: 200, error: null });
    expect((await person.get('/dashboard')).status).toBe(302);
    expect(answerOf(await person.post('/auth/calls', { call: 'signUp', email: newEmail(), password: PASSWORD }))).toEqual({
      status: 200,
      error: null,
    });
    expect(answerOf(await person.post('/auth/calls', { call: 'root' }))).toMatchObject({ status: 400 });
  });
});
