import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createIdentityBackend } from '#app/platform/supabase/identity-backend.server.ts';
import { type Browser, COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';
import { signAccessToken } from '#tests/support/test-database.ts';

type Tokens = { access_token: string; refresh_token: string; expires_at: number };
type Subject = { userId: string; sessionId: string; email: string };

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterEach(() => {
  app.outage.answer = null;
});
afterAll(() => app.close());

let people = 0;
const newcomer = () => app.newcomer(`person-${++people}@example.com`);

function tokensOf(browser: Browser): Tokens {
  return JSON.parse(Buffer.from((browser.cookies.get(COOKIE) ?? '').slice('base64-'.length), 'base64url').toString());
}
function plant(browser: Browser, tokens: object): Browser {
  browser.cookies.set(COOKIE, `base64-${Buffer.from(JSON.stringify(tokens)).toString('base64url')}`);
  return browser;
}
function subjectOf(browser: Browser): Subject {
  const claims = JSON.parse(Buffer.from(tokensOf(browser).access_token.split('.')[1] ?? '', 'base64url').toString());
  return { userId: claims.sub, sessionId: claims.session_id, email: claims.email };
}
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** The same session with a token that ends in so many seconds. */
function aged(browser: Browser, seconds: number): Browser {
  const access = signAccessToken(app.jwtSecret, subjectOf(browser), seconds);
  return plant(browser.copy(), { ...tokensOf(browser), access_token: access, expires_at: inSeconds(seconds) });
}

describe('what a request costs', () => {
  /** Counts what is asked of the auth service, of its tokens and of the database while the work continues. */
  async function countCalls(work: () => Promise<void>) {
    const { identity, access } = app.services;
    const counted = { clients: 0, verifications: 0, calls: 0, transactions: 0 };
    app.outage.answer = () => {
      counted.calls += 1;
      return null;
    };
    app.services.identity = {
      ...identity,
      openClient: (request) => {
        counted.clients += 1;
        return identity.openClient(request);
      },
      verifyAccessToken: (token) => {
        counted.verifications += 1;
        return identity.verifyAccessToken(token);
      },
    };
    app.services.access = {
      ...access,
      asNobody: (wanted) => {
        counted.transactions += 1;
        return access.asNobody(wanted);
      },
      asMember: (who, wanted) => {
        counted.transactions += 1;
        return access.asMember(who, wanted);
      },
      membershipsOf: (who) => {
        counted.transactions += 1;
        return access.membershipsOf(who);
      },
    };
    try {
      await work();
    } finally {
      Object.assign(app.services, { identity, access });
    }
    return counted;
  }

  test('who has no cookie costs no client, no call, no verification and no transaction on the screens of signing in', async () => {
    const none = { clients: 0, verifications: 0, calls: 0, transactions: 0 };
    for (const path of ['/auth', '/auth?mode=sign-up', '/auth?next=%2Fdashboard%2Fruns', '/reset-password', '/auth/confirm?sent=signup'])
      expect(
        await countCalls(async () => {
          const answer = await app.browser().get(path);
          expect(answer.status).toBe(200);
          expect(answer.headers.get('Set-Cookie')).toBeNull();
        }),
        path,
      ).toEqual(none);
  });

  test('who is signed in costs one verification, in this process, and one transaction for the memberships', async () => {
    const person = await newcomer();
    await person.get('/dashboard/runs');
    expect(await countCalls(async () => void (await person.get('/dashboard/runs')))).toEqual({
      clients: 0,
      verifications: 1,
      calls: 0,
      transactions: 1,
    });
  });
});

describe('a token that ends', () => {
  test('is renewed on the way, with the new cookie on a page, a redirect and an error alike', async () => {
    const person = await newcomer();
    const paths = [
      ['/dashboard/runs', 200],
      ['/auth', 302],
      ['/dashboard/admin/members/not-an-id', 404],
    ] as const;
    for (const [path, status] of paths) {
      const old = aged(person, -5);
      const before = old.cookies.get(COOKIE);
      const answer = await old.get(path);
      expect(answer.status).toBe(status);
      expect(old.cookies.get(COOKIE)).not.toBe(before);
      expect(answer.headers.get('Cache-Control')).toContain('no-store');
      expect(answer.headers.get('Vary')).toContain('Cookie');
      expect((await old.get('/dashboard/runs')).status).toBe(200);
      person.cookies.set(COOKIE, old.cookies.get(COOKIE) ?? '');
    }
  });

  test('is left alone while more than 90 seconds are left, and renewed when fewer are', async () => {
    const person = await newcomer();
    app.outage.refreshes = 0;
    await aged(person, 95).get('/dashboard/runs');
    expect(app.outage.refreshes).toBe(0);
    await aged(person, 85).get('/dashboard/runs');
    expect(app.outage.refreshes).toBe(1);
  });

  test('is renewed once for 20 requests at once, and nobody is signed out', async () => {
    const person = await newcomer();
    const old = aged(person, -5);
    app.outage.refreshes = 0;
    const copies = Array.from({ length: 20 }, () => old.copy());
    const answers = await Promise.all(copies.map((copy) => copy.get('/dashboard/runs')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(app.outage.refreshes).toBe(1);
    expect(new Set(copies.map((copy) => tokensOf(copy).refresh_token)).size).toBe(1);
    for (const copy of copies.slice(0, 3)) expect((await copy.get('/dashboard/runs')).status).toBe(200);
  });

  test('and cannot be renewed leads to signing in, once, with the cookie gone', async () => {
    const person = await newcomer();
    const old = aged(person, -5);
    plant(old, { ...tokensOf(old), refresh_token: 'no-such-token' });
    expect(await old.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
    expect(old.cookies.has(COOKIE)).toBe(false);
    expect((await old.get('/auth')).status).toBe(200);
  });

  test('and was renewed long ago by someone else signs both of them out', async () => {
    const person = await newcomer();
    const copied = aged(person, -5);
    const renewed = aged(person, -5);
    expect((await renewed.get('/dashboard/runs')).status).toBe(200);
    await app.db.owner.query(`update auth.refresh_tokens set updated_at = updated_at - interval '11 seconds' where token = $1`, [
      tokensOf(person).refresh_token,
    ]);
    const { identity } = app.services;
    // The shared answer is forgotten as after its ten seconds.
    app.services.identity = createIdentityBackend({
      mode: 'embedded',
      url: app.auth.url,
      key: app.auth.anonKey,
      fetch: app.auth.fetch,
      jwtSecret: app.jwtSecret,
      cookieName: COOKIE,
    });
    try {
      expect(await copied.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
      expect(await renewed.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
    } finally {
      app.services.identity = identity;
    }
  });

  test('while the service is down, is good to its last second', async () => {
    const person = await newcomer();
    const old = aged(person, 60);
    app.outage.answer = (url) => (url.includes('/token') ? new Response('{"code":"bad"}', { status: 400 }) : null);
    expect((await old.get('/dashboard/runs')).status).toBe(200);
    expect(old.cookies.has(COOKIE)).toBe(true);
  });

  test('while the service is down, makes nobody anonymous: 503, and the cookie stays', async () => {
    const person = await newcomer();
    const old = aged(person, -5);
    const before = old.cookies.get(COOKIE);
    let calls = 0;
    app.outage.answer = () => {
      calls += 1;
      return new Response('', { status: 503 });
    };
    // The 30 s that a refresh is tried for, from 200 ms doubling.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    const asked = old.get('/dashboard/runs');
    await vi.advanceTimersByTimeAsync(31_000);
    vi.useRealTimers();
    const answer = await asked;
    expect(calls).toBe(8);
    expect(answer).toMatchObject({ status: 503 });
    expect(old.cookies.get(COOKIE)).toBe(before);
    app.outage.answer = null;
    expect((await old.get('/dashboard/runs')).status).toBe(200);
  });
});

describe('a clock that is ten minutes', () => {
  test.each([
    ['ahead', 600_000],
    ['behind', -600_000],
  ])('%s signs nobody out and refreshes once at most', async (_, shift) => {
    const person = await newcomer();
    const now = Date.now;
    app.outage.refreshes = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + shift);
    try {
      for (let at = 0; at < 3; at += 1) expect((await person.get('/dashboard/runs')).status).toBe(200);
    } finally {
      vi.restoreAllMocks();
    }
    expect(app.outage.refreshes).toBeLessThanOrEqual(1);
  });
});

test('a large name in the metadata does not make the cookie large', async () => {
  const email = `person-${++people}@example.com`;
  const person = app.browser();
  await person.post('/auth?mode=sign-up', { form: 'sign-up', email, password: PASSWORD });
  await app.db.owner.query('update auth.users set raw_user_meta_data = $2 where email = $1', [
    email,
    JSON.stringify({ note: 'x'.repeat(6_000) }),
  ]);
  const { headers } = await person.post(app.linkTo(email), { form: 'link' });
  const kept = headers.getSetCookie().filter((line) => line.startsWith(COOKIE) && !/max-age=0/i.test(line));
  expect(kept.length).toBeGreaterThan(0);
  for (const line of kept) expect(Buffer.byteLength(line)).toBeLessThan(4_096);
  const sent = [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  expect(Buffer.byteLength(sent)).toBeLessThan(8_192);
  expect((await person.get('/dashboard/runs')).status).toBe(200);
});

describe('a forged cookie yields nobody', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = (subject: Subject) => ({
    sub: subject.userId,
    aud: 'authenticated',
    role: 'authenticated',
    email: subject.email,
    session_id: subject.sessionId,
    exp: inSeconds(3_600),
  });

  test.each([
    ['without an algorithm', (subject: Subject) => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims(subject))}.`],
    ['with another key', (subject: Subject) => signAccessToken('another secret', subject)],
    [
      'with an edited name',
      (subject: Subject, good: string) =>
        [good.split('.')[0], part({ ...claims(subject), email: 'root@example.com' }), good.split('.')[2]].join('.'),
    ],
    ['for the service itself', (subject: Subject) => `${part({ alg: 'HS256' })}.${part({ ...claims(subject), role: 'service_role' })}.x`],
  ])('%s', async (_, forge) => {
    const person = await newcomer();
    const tokens = tokensOf(person);
    const forged = plant(app.browser(), { ...tokens, access_token: forge(subjectOf(person), tokens.access_token) });
    expect(await forged.get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
    expect(forged.cookies.has(COOKIE)).toBe(false);
  });

  test('of a session that does not exist, though the token is signed', async () => {
    const person = await newcomer();
    const access = signAccessToken(app.jwtSecret, { ...subjectOf(person), sessionId: randomUUID() });
    const forged = plant(app.browser(), { ...tokensOf(person), access_token: access });
    expect(await forged.get('/dashboard/runs')).toMatchObject({ status: 302 });
  });

  test.each([
    ['no base64', { [COOKIE]: 'base64-%%%' }],
    ['200 parts', Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${COOKIE}.${at}`, 'base64-e30']))],
    ['a name of the language', { __proto__name: 'x', constructor: 'y', [COOKIE]: 'null' }],
  ])('and is taken away: %s', async (_, cookies) => {
    const browser = app.browser();
    for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value);
    expect((await browser.get('/auth')).status).toBe(200);
    expect([...browser.cookies.keys()].filter((name) => name.startsWith(COOKIE))).toEqual([]);
  });
});

describe('signing out', () => {
  test('is a post: reading the page ends nothing', async () => {
    const person = await newcomer();
    expect((await person.get('/auth/sign-out')).status).toBe(200);
    expect((await person.get('/dashboard/runs')).status).toBe(200);
  });

  test('ends the session also for who has copied the cookie, at once', async () => {
    const person = await newcomer();
    const copied = person.copy();
    const ended = aged(person, -5);
    expect((await copied.get('/dashboard/runs')).status).toBe(200);
    expect(await person.post('/auth/sign-out', {})).toMatchObject({ status: 303, location: '/auth' });
    expect([...person.cookies.keys()].filter((name) => name.startsWith('sb-'))).toEqual([]);
    expect((await copied.get('/dashboard/runs')).status).toBe(302);
    expect((await copied.post('/dashboard/account/profile', { name: 'Mallory' })).status).toBe(401);
    expect((await ended.get('/dashboard/runs')).status).toBe(302);
  });

  test('leaves other sessions of the person alone', async () => {
    const email = `person-${++people}@example.com`;
    const one = await app.newcomer(email);
    const other = app.browser();
    await other.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    await one.post('/auth/sign-out', {});
    expect((await other.get('/dashboard/runs')).status).toBe(200);
  });
});

describe('who has no cookie', () => {
  test('costs no call to the service, and may be kept by caches', async () => {
    let calls = 0;
    app.outage.answer = () => {
      calls += 1;
      return null;
    };
    const answer = await app.browser().get('/invitations/x');
    expect(answer.status).toBe(404);
    expect(calls).toBe(0);
  });

  test('gets back what was typed, without its secrets', async () => {
    const answer = await app
      .browser()
      .post('/dashboard/workflows/new?from=list', { name: 'My long text', password: 'secret', tags: ['a', 'b'] });
    expect(answer.status).toBe(401);
    expect(answer.error).toMatchObject({
      status: 401,
      data: {
        kept: 'sessionOver',
        action: '/dashboard/workflows/new?from=list',
        fields: [
          { name: 'name', value: 'My long text' },
          { name: 'tags', value: 'a' },
          { name: 'tags', value: 'b' },
        ],
      },
    });
  });
});

test('nothing of a token stands in what pages are given', async () => {
  const person = await newcomer();
  const { access_token: access, refresh_token: refresh } = tokensOf(person);
  const answers = [
    await person.get('/dashboard/runs'),
    await person.get('/dashboard/account'),
    await person.get('/dashboard/admin/members'),
  ];
  const given = JSON.stringify(answers.map(({ data, action, error }) => ({ data, action, error })));
  expect(given).not.toContain(access);
  expect(given).not.toContain(access.split('.')[2]);
  expect(given).not.toContain(refresh);
});

describe('a hosted service that signs with a secret of its own', () => {
  test('is asked for each token once, and a forged one yields nobody', async () => {
    const person = await newcomer();
    const good = tokensOf(person).access_token;
    let asked = 0;
    const hosted = createIdentityBackend({
      mode: 'hosted',
      url: app.auth.url,
      key: app.auth.anonKey,
      fetch: (input, init) => {
        asked += 1;
        return app.auth.fetch(input, init);
      },
    });
    expect(await hosted.verifyAccessToken(good)).toMatchObject({ email: subjectOf(person).email });
    expect(await hosted.verifyAccessToken(good)).not.toBeNull();
    expect(asked).toBe(1);
    expect(await hosted.verifyAccessToken(signAccessToken('another secret', subjectOf(person)))).toBeNull();
    expect(await hosted.verifyAccessToken(signAccessToken(app.jwtSecret, subjectOf(person), -1))).toBeNull();
  });

  test('and cannot be reached makes nobody anonymous', async () => {
    const person = await newcomer();
    const hosted = createIdentityBackend({
      mode: 'hosted',
      url: app.auth.url,
      key: app.auth.anonKey,
      fetch: async () => new Response('', { status: 502 }),
    });
    await expect(hosted.verifyAccessToken(tokensOf(person).access_token)).rejects.toThrow('502');
  });
});
