/** Proofs about sign-in and sessions that no other file holds; app/docs/security.md lists them all. */
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, type Browser, COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';
import { signAccessToken } from '#tests/support/test-database.ts';

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterEach(() => {
  app.outage.answer = null;
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `proof-${++people}@example.com`;

type Tokens = { access_token: string; refresh_token: string; expires_at: number };
const tokensOf = (browser: Browser): Tokens =>
  JSON.parse(Buffer.from((browser.cookies.get(COOKIE) ?? '').slice('base64-'.length), 'base64url').toString());
const encoded = (tokens: object) => `base64-${Buffer.from(JSON.stringify(tokens)).toString('base64url')}`;
function subjectOf(browser: Browser) {
  const claims = JSON.parse(Buffer.from(tokensOf(browser).access_token.split('.')[1] ?? '', 'base64url').toString());
  return { userId: claims.sub as string, sessionId: claims.session_id as string, email: claims.email as string };
}
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
/** The same session with a token that has ended. */
function ended(browser: Browser): Browser {
  const copy = browser.copy();
  const access = signAccessToken(app.jwtSecret, subjectOf(browser), -5);
  copy.cookies.set(COOKIE, encoded({ ...tokensOf(browser), access_token: access, expires_at: inSeconds(-5) }));
  return copy;
}
const signedIn = async (email: string) => {
  const browser = app.browser();
  expect((await browser.post('/auth', { form: 'sign-in', email, password: PASSWORD })).status).toBe(303);
  return browser;
};

/** Everything of an answer that its asker can see, with their own address taken out of what is given back to them. */
const seen = ({ status, location, headers, text, action, error }: Answer, email: string) =>
  JSON.stringify([status, location, [...headers], text, action, error])
    .replaceAll(email, '(the address)')
    .replaceAll(encodeURIComponent(email), '(the address)')
    .replaceAll(/"(seconds|retry-after)[",:]+"?\d+"?/g, '$1');

describe('whether an address has an account', () => {
  test.each([
    ['asking for a new password', '/reset-password', { form: 'request' }],
    ['asking for the confirmation again', '/auth/confirm', { form: 'resend' }],
    ['signing up', '/auth?mode=sign-up', { form: 'sign-up', password: PASSWORD }],
    ['signing in', '/auth', { form: 'sign-in', password: 'not the password' }],
  ])('does not show in any part of the answers to %s, asked twice', async (_, path, form) => {
    const known = newEmail();
    await app.newcomer(known);
    await app.db.owner.query('delete from quorate.rate_limits');
    const answers = [];
    for (const email of [known, newEmail()]) {
      const browser = app.browser();
      for (let asked = 0; asked < 2; asked += 1) answers.push(seen(await browser.post(path, { ...form, email }), email));
    }
    expect(answers.slice(2)).toEqual(answers.slice(0, 2));
  });
});

test.each(['/auth/confirm', '/reset-password', '/auth'])('%s is kept by nobody and told to no other site', async (path) => {
  for (const query of ['', `?token_hash=${'a'.repeat(64)}&type=signup`, '?token_hash=x', '?code=0197c2d4-0000-7000-8000-000000000000']) {
    const { headers } = await app.browser().get(`${path}${query}`);
    expect(headers.get('Cache-Control')).toContain('no-store');
    expect(headers.get('Referrer-Policy')).toBe('same-origin');
  }
});

test('every cookie of identity is Secure where the public origin is https, and only there', async () => {
  const email = newEmail();
  for (const secure of [true, false]) {
    const browser = app.browser(undefined, secure);
    const answers = [
      await browser.post('/auth?mode=sign-up&next=%2Fdashboard%2Fruns', {
        form: 'sign-up',
        email: `${secure}-${email}`,
        password: PASSWORD,
      }),
      await browser.post(app.linkTo(`${secure}-${email}`), { form: 'link' }),
      await browser.post('/auth/sign-out', {}),
    ];
    const cookies = answers.flatMap(({ headers }) => headers.getSetCookie()).filter((cookie) => /^(auth_|sb-)/.test(cookie));
    expect(new Set(cookies.map((cookie) => cookie.split('=')[0]))).toEqual(new Set(['auth_next', 'auth_email', COOKIE]));
    for (const cookie of cookies) {
      expect(/; secure(;|$)/i.test(cookie), cookie).toBe(secure);
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; SameSite=Lax/i);
      expect(cookie).toMatch(/; Path=\/(;|$)/i);
      expect(cookie).not.toMatch(/domain/i);
    }
  }
});

describe('the parts of a session’s cookie', () => {
  const whole = async () => {
    const person = await app.newcomer(newEmail());
    return { person, value: person.cookies.get(COOKIE) ?? '' };
  };
  const split = (person: Browser, value: string, parts: number) => {
    person.cookies.delete(COOKIE);
    const length = Math.ceil(value.length / parts);
    for (let at = 0; at < parts; at += 1) person.cookies.set(`${COOKIE}.${at}`, value.slice(at * length, (at + 1) * length));
  };

  test('are one session, and go when a renewed one needs fewer', async () => {
    const { person, value } = await whole();
    split(person, value, 3);
    expect((await person.get('/dashboard/runs')).status).toBe(200);

    person.cookies.set(COOKIE, value);
    const parted = app.browser();
    split(parted, ended(person).cookies.get(COOKIE) ?? '', 3);
    expect((await parted.get('/dashboard/runs')).status).toBe(200);
    const left = [...parted.cookies.keys()].filter((name) => name.startsWith(COOKIE));
    expect(left).toEqual([COOKIE]);
    expect((await parted.get('/dashboard/runs')).status).toBe(200);
  });

  test('beside a whole one do not garble it, and signing out takes all away', async () => {
    const { person, value } = await whole();
    person.cookies.set(`${COOKIE}.0`, 'base64-stale');
    person.cookies.set(`${COOKIE}.1`, 'stale');
    expect((await person.get('/dashboard/runs')).status).toBe(200);
    expect(person.cookies.get(COOKIE)).toBe(value);
    await person.post('/auth/sign-out', {});
    expect([...person.cookies.keys()].filter((name) => name.startsWith('sb-'))).toEqual([]);
  });
});

test('what is no screen carries the renewed cookie too, and is kept by nobody', async () => {
  const person = await app.newcomer(newEmail());
  const old = ended(person);
  const before = old.cookies.get(COOKIE);
  const answer = await old.get('/dashboard/account/data/export');
  expect(answer.status).toBe(200);
  expect(old.cookies.get(COOKIE)).not.toBe(before);
  expect(answer.headers.get('Cache-Control')).toBe('private, no-store');
  expect(answer.headers.get('Vary')).toContain('Cookie');
  expect((await old.get('/dashboard/runs')).status).toBe(200);
});

test('a refresh token that was used long ago ends the session, and both its holders are sent to sign in', async () => {
  const owner = await app.newcomer(newEmail());
  const thief = ended(owner);
  // One answer to one token is shared for ten seconds, which pass here; the one that was used last is taken again forever.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let renewed = 0; renewed < 2; renewed += 1) {
    owner.cookies.set(COOKIE, ended(owner).cookies.get(COOKIE) ?? '');
    expect((await owner.get('/dashboard/runs')).status).toBe(200);
  }
  vi.advanceTimersByTime(11_000);
  vi.useRealTimers();
  await app.db.owner.query(`update auth.refresh_tokens set updated_at = now() - interval '1 hour'`);
  for (const holder of [thief, ended(owner)]) {
    expect(await holder.get('/dashboard/runs?page=2')).toMatchObject({
      status: 302,
      location: '/auth?next=%2Fdashboard%2Fruns%3Fpage%3D2',
    });
    expect(holder.cookies.has(COOKIE)).toBe(false);
    expect((await holder.get('/auth')).status).toBe(200);
  }
});

test('sessions end as the three buttons say: this device, the others, everywhere', async () => {
  const email = newEmail();
  const first = await app.newcomer(email);
  const open = async (browser: Browser) => (await browser.copy().get('/dashboard/runs')).status === 200;
  const workspace = ((await first.get('/dashboard/runs')).data as { workspace: { id: string } }).workspace.id;
  const [second, third] = [await signedIn(email), await signedIn(email)];
  await first.copy().post('/auth/sign-out', {});
  expect([await open(first), await open(second), await open(third)]).toEqual([false, true, true]);
  await second.post('/dashboard/account/sessions', { workspace, intent: 'others' });
  expect([await open(second), await open(third)]).toEqual([true, false]);
  const fourth = await signedIn(email);
  await second.copy().post('/dashboard/account/sessions', { workspace, intent: 'everywhere' });
  expect([await open(second), await open(fourth)]).toEqual([false, false]);
});

describe('a session ends on its own', () => {
  const age = (column: string, table: string, by: string, interval: string, id: string) =>
    app.db.owner.query(`update ${table} set ${column} = now() - interval '${interval}' where ${by} = $1`, [id]);
  // Written beside the answer, which does not wait for it.
  const justUsed = async (id: string) => {
    const { rowCount } = await app.db.owner.query(
      `select from quorate.user_sessions where session_id = $1 and last_seen_at > now() - interval '1 minute'`,
      [id],
    );
    return rowCount === 1;
  };

  test.each([
    ['30 days after it began, though it is used', 'auth.sessions', 'id', 'created_at', '29 days', '31 days'],
    ['after 7 days without use', 'quorate.user_sessions', 'session_id', 'last_seen_at', '6 days', '8 days'],
  ])('%s', async (_, table, by, column, within, past) => {
    const person = await app.newcomer(newEmail());
    const { sessionId } = subjectOf(person);
    await age(column, table, by, within, sessionId);
    expect((await person.copy().get('/dashboard/runs')).status).toBe(200);
    await expect.poll(() => justUsed(sessionId), { timeout: 30_000 }).toBe(true);
    await age(column, table, by, past, sessionId);
    expect(await person.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
    expect(person.cookies.has(COOKIE)).toBe(false);
  });
});

test.each([
  ['another audience', { aud: 'somebody-else' }],
  ['the audience of nobody', { aud: 'anon', role: 'anon' }],
  ['no audience', { aud: undefined }],
])('a token that is signed well but for %s yields nobody', async (_, changed) => {
  const person = await app.newcomer(newEmail());
  const [head = '', body = ''] = tokensOf(person).access_token.split('.');
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), ...changed };
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  const access = `${signed}.${createHmac('sha256', app.jwtSecret).update(signed).digest('base64url')}`;
  person.cookies.set(COOKIE, encoded({ ...tokensOf(person), access_token: access }));
  expect(await person.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
});

test('what a member may not do is refused, and the log says who asked for what and where', async () => {
  const email = newEmail();
  const admin = await app.newcomer(newEmail());
  const person = await app.newcomer(email);
  const { workspace } = (await admin.get('/dashboard/runs')).data as { workspace: { id: string } };
  const { userId } = subjectOf(person);
  await app.db.arrange(workspace.id, async (client) => {
    await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, array['user'], 'P', $3)`, [
      workspace.id,
      userId,
      email,
    ]);
  });
  const lines: [string, object | undefined][] = [];
  const { log } = app.services;
  app.services.log = { ...log, warn: (message, fields) => void lines.push([message, fields]) };
  person.cookies.set('workspace', workspace.id);
  expect((await person.get('/dashboard/admin/members/invite')).status).toBe(403);
  app.services.log = log;
  expect(lines).toEqual([
    [
      'refused',
      { user: userId, workspace: workspace.id, method: 'GET', path: '/dashboard/admin/members/invite', request: 'a request of a test' },
    ],
  ]);
});

test('what a person writes of themselves at the auth service gives them no right', async () => {
  const email = newEmail();
  const person = await app.newcomer(email);
  const admin = await app.newcomer(newEmail());
  const { workspace } = (await admin.get('/dashboard/runs')).data as { workspace: { id: string } };
  const { userId } = subjectOf(person);
  await app.db.arrange(workspace.id, async (client) => {
    await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, array['user'], 'P', $3)`, [
      workspace.id,
      userId,
      email,
    ]);
  });
  const written = { role: 'admin', roles: ['admin'], is_admin: true, workspace_id: workspace.id, app_metadata: { role: 'admin' } };
  const answer = await app.auth.fetch(`${app.auth.url}/auth/v1/user`, {
    method: 'PUT',
    headers: { apikey: app.auth.anonKey, authorization: `Bearer ${tokensOf(person).access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ data: written, app_metadata: { role: 'admin' }, role: 'service_role' }),
  });
  expect(answer.status).toBe(200);
  const { rows } = await app.db.owner.query(
    'select raw_user_meta_data as written, raw_app_meta_data as kept, role from auth.users where id = $1',
    [userId],
  );
  // Kept as a document or as the text of one, as the service's tables have it.
  const [row] = rows.map(({ written: text, kept, role }) => ({
    written: String(JSON.stringify(text)),
    kept: String(JSON.stringify(kept)),
    role,
  }));
  expect(row?.role).toBe('authenticated');
  expect(row?.written).toContain('is_admin');
  expect(row?.kept).not.toContain('admin');
  // With a token that was made after it, too.
  const again = await signedIn(email);
  for (const browser of [person, again]) {
    browser.cookies.set('workspace', workspace.id);
    expect((await browser.get('/dashboard/runs')).data).toMatchObject({ roles: ['user'], workspace: { id: workspace.id } });
    expect((await browser.get('/dashboard/admin/members/invite')).status).toBe(403);
    expect(
      (await browser.post('/dashboard/admin/members/invite', { workspace: workspace.id, email: 'x@example.com', roles: 'admin' })).status,
    ).toBe(403);
  }
  const profile = await app.db.owner.query('select role from public.profiles where id = $1', [userId]);
  expect(profile.rows).toEqual([{ role: 'user' }]);
});
