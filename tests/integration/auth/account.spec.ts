import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { placeEvents } from '#app/engine/audit/place-events.ts';
import type { LoadedKeyList } from '#app/features/account/keys/load-key-list.server.ts';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { walkList } from '#tests/integration/lists/walk-list.ts';
import { TEST_SECRET_KEY } from '#tests/support/database-setup.ts';
import { type Browser, COOKIE, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';
import { pngOf } from '#tests/support/pictures.ts';
import { until } from '#tests/survival/support/until.ts';

type Me = { userId: string; sessionId: string; email: string; roles: string[]; name: string; workspace: { id: string; name: string } };
type Listed = { id: string; browser: string | null; system: string | null; current: boolean; lastSeenAt: string };

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1';

const signer = createLogSigner(TEST_SECRET_KEY, 'quorate.test');
let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `account-${++people}@example.com`;
const meOf = async (browser: Browser) => (await browser.get('/dashboard/runs')).data as Me;
const newcomer = async (name = 'Ada') => {
  const email = newEmail();
  const browser = await app.newcomer(email, { name });
  const me = await meOf(browser);
  return { email, browser, me, workspace: me.workspace.id };
};
async function signInAgain(email: string, userAgent = SAFARI): Promise<Browser> {
  const browser = app.browser();
  const answer = await browser.post('/auth', { form: 'sign-in', email, password: PASSWORD }, { 'User-Agent': userAgent });
  expect(answer.status).toBe(303);
  return browser;
}
const sessionsOf = async (browser: Browser) => ((await browser.get('/dashboard/account/sessions')).data as { sessions: Listed[] }).sessions;
const actionsIn = async (workspace: string) =>
  (await app.db.owner.query('select action from quorate.audit_events where workspace_id = $1 order by id', [workspace])).rows.map(
    ({ action }) => action,
  );

describe('one’s own sessions', () => {
  test('are listed with their browser from the moment of sign-in, this one first, and nobody else’s', async () => {
    const { email, browser } = await newcomer();
    await newcomer();
    const phone = await signInAgain(email);
    const [here, there, ...more] = await sessionsOf(browser);
    expect(more).toEqual([]);
    expect(here).toMatchObject({ current: true });
    expect(there).toMatchObject({ current: false, browser: 'Safari', system: 'iPhone' });
    expect((await sessionsOf(phone))[0]).toMatchObject({ id: there?.id, current: true });
  });

  test('are seen again on use, at most once a minute, beside the request', async () => {
    const { browser, me } = await newcomer();
    const seen = async () =>
      (await app.db.owner.query('select last_seen_at from quorate.user_sessions where session_id = $1', [me.sessionId])).rows[0]
        ?.last_seen_at;
    await app.db.owner.query(`update quorate.user_sessions set last_seen_at = now() - interval '1 hour' where session_id = $1`, [
      me.sessionId,
    ]);
    const now = app.services.now;
    app.services.now = () => new Date(Date.now() + 61_000);
    await browser.get('/dashboard/runs', { 'User-Agent': FIREFOX });
    app.services.now = now;
    await until('the session was seen', async () => Date.now() - (await seen()).getTime() < 60_000);
  });

  test('end one by one, at once, for reading and for changes, and the change is audited', async () => {
    const { email, browser, workspace } = await newcomer();
    const phone = await signInAgain(email);
    const other = (await sessionsOf(browser)).find(({ current }) => !current)?.id ?? '';
    expect(await browser.post('/dashboard/account/sessions', { workspace, intent: 'end', session: other })).toMatchObject({
      status: 303,
      location: '/dashboard/account/sessions',
    });
    expect(await phone.copy().get('/dashboard/runs')).toMatchObject({ status: 302, location: '/auth?next=%2Fdashboard%2Fruns' });
    expect((await phone.copy().post('/dashboard/account/profile', { workspace, name: 'Mallory' })).status).toBe(401);
    expect(await sessionsOf(browser)).toHaveLength(1);
    expect((await browser.post('/dashboard/account/sessions', { workspace, intent: 'end', session: other })).status).toBe(404);
    expect(await actionsIn(workspace)).toContain('session.ended');
  });

  test('of someone else cannot be ended', async () => {
    const victim = await newcomer();
    const { browser, workspace } = await newcomer();
    const answer = await browser.post('/dashboard/account/sessions', { workspace, intent: 'end', session: victim.me.sessionId });
    expect(answer.status).toBe(404);
    expect((await victim.browser.get('/dashboard/runs')).status).toBe(200);
  });

  test('end elsewhere, and everywhere', async () => {
    const { email, browser, workspace } = await newcomer();
    const phone = await signInAgain(email);
    expect((await browser.post('/dashboard/account/sessions', { workspace, intent: 'others' })).status).toBe(303);
    expect((await phone.get('/dashboard/runs')).status).toBe(302);
    expect((await browser.get('/dashboard/runs')).status).toBe(200);

    const tablet = await signInAgain(email);
    const kept = browser.copy();
    expect(await browser.post('/dashboard/account/sessions', { workspace, intent: 'everywhere' })).toMatchObject({
      status: 303,
      location: '/auth',
    });
    expect(browser.cookies.has(COOKIE)).toBe(false);
    expect((await kept.get('/dashboard/runs')).status).toBe(302);
    expect((await tablet.get('/dashboard/runs')).status).toBe(302);
    expect(await actionsIn(workspace)).toEqual(expect.arrayContaining(['session.othersEnded', 'session.allEnded']));
  });
});

describe('preferences', () => {
  test('are kept with the account beside other settings, and put to use in this browser', async () => {
    const { browser, me, workspace } = await newcomer();
    // The sign-in notes the workspace in the same row, once its answer is out: before this, or after it.
    await app.db.owner.query(
      'insert into quorate.preferences (user_id, settings) values ($1, $2) on conflict (user_id) do update set settings = excluded.settings',
      [me.userId, { sound: true }],
    );
    const answer = await browser.post('/dashboard/account/preferences', { workspace, language: 'de', timeZone: 'Asia/Tokyo' });
    expect(answer.status).toBe(303);
    expect(Object.fromEntries(browser.cookies)).toMatchObject({ lng: 'de', timezone: 'Asia%2FTokyo' });
    const { rows } = await app.db.owner.query('select settings from quorate.preferences where user_id = $1', [me.userId]);
    expect(rows[0].settings).toEqual({ sound: true, language: 'de', timeZone: 'Asia/Tokyo' });
    expect((await browser.post('/dashboard/account/preferences', { workspace, language: 'de', timeZone: 'Mars/Base' })).status).toBe(400);
    expect((await browser.post('/dashboard/account/preferences', { workspace, language: 'xx', timeZone: '' })).status).toBe(400);
  });

  test('follow their owner to another browser at sign-in; who has saved none keeps what the browser has', async () => {
    const { email, browser, workspace } = await newcomer();
    const before = app.browser();
    before.cookies.set('lng', 'fr');
    await before.post('/auth', { form: 'sign-in', email, password: PASSWORD });
    expect(before.cookies.get('lng')).toBe('fr');
    await browser.post('/dashboard/account/preferences', { workspace, language: 'he', timeZone: 'Asia/Tokyo' });
    const other = await signInAgain(email);
    expect(other.cookies.get('lng')).toBe('he');
    expect(decodeURIComponent(other.cookies.get('timezone') ?? '')).toBe('Asia/Tokyo');
  });
});

describe('a picture', () => {
  const form = (workspace: string, content: Buffer, type = 'image/png') => {
    const data = new FormData();
    data.set('workspace', workspace);
    data.set('picture', new File([new Uint8Array(content)], 'me.png', { type }));
    return data;
  };
  const PICTURE = '/dashboard/account/profile/picture';

  test('is served to colleagues without what was hidden behind it, to be checked each time, and to nobody else', async () => {
    const { browser, me, workspace } = await newcomer();
    const stranger = await newcomer('Stranger');
    const mine = `/dashboard/avatars/${me.userId}`;
    expect((await browser.get(mine)).status).toBe(404);
    const withScript = Buffer.concat([pngOf(320, 240), Buffer.from('<script>alert(1)</script>')]);
    expect(await browser.upload(PICTURE, form(workspace, withScript, 'text/html'))).toMatchObject({ status: 303 });
    const { picture } = (await browser.get('/dashboard/account/profile')).data as { picture: string };
    const served = await browser.get(picture);
    expect(served.status).toBe(200);
    expect(Buffer.from(served.bytes)).toEqual(pngOf(320, 240));
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': 'sandbox',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    const tag = served.headers.get('ETag') ?? '';
    expect((await browser.get(picture, { 'If-None-Match': tag })).status).toBe(304);
    expect((await stranger.browser.get(mine)).status).toBe(404);
    expect((await stranger.browser.get(mine, { 'If-None-Match': tag })).status).toBe(404);
    expect((await app.browser().get(mine)).status).toBe(302);
    await app.db.arrange(workspace, async (client) => {
      await client.query(
        `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', 'Colleague', $3)`,
        [workspace, stranger.me.userId, stranger.email],
      );
    });
    expect((await stranger.browser.get(mine)).status).toBe(200);
    const { members } = (await browser.get('/dashboard/admin/members')).data as { members: { userId: string; picture: string | null }[] };
    expect(members.find(({ userId }) => userId === me.userId)?.picture).toBe(picture);
    expect(members.find(({ userId }) => userId === stranger.me.userId)?.picture).toBeNull();
  });

  test('is refused when it is none, too large or too wide, and what stood before stays', async () => {
    const { browser, me, workspace } = await newcomer();
    expect((await browser.upload(PICTURE, form(workspace, pngOf(10, 10)))).status).toBe(303);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const [content, fault] of [
      [svg, 'pictureKind'],
      [Buffer.from('GIF89a and more of it, so that there is a header'), 'pictureKind'],
      [pngOf(10, 10, 1_048_577), 'pictureTooLarge'],
      [pngOf(4097, 10), 'pictureTooWide'],
      [pngOf(10, 50_000), 'pictureTooWide'],
      [Buffer.alloc(0), 'pictureMissing'],
    ] as const) {
      const answer = await browser.upload(PICTURE, form(workspace, content));
      expect(answer.status).toBe(400);
      expect(JSON.stringify(answer.action)).toContain(fault);
    }
    expect((await browser.upload(PICTURE, form(workspace, pngOf(4096, 4096, 1_048_576)))).status).toBe(303);
    const { rows } = await app.db.owner.query('select octet_length(content) as size from quorate.files where owner_id = $1', [me.userId]);
    expect(rows).toEqual([{ size: 1_048_576 }]);
    expect(await actionsIn(workspace)).toContain('account.pictureChanged');
  });

  test('is taken away by its owner, and with the account', async () => {
    const { browser, me, workspace } = await newcomer();
    const filesOf = async () => (await app.db.owner.query('select from quorate.files where owner_id = $1', [me.userId])).rowCount;
    await browser.upload(PICTURE, form(workspace, pngOf(10, 10)));
    expect(await filesOf()).toBe(1);
    expect((await browser.post(PICTURE, { workspace, form: 'remove' })).status).toBe(303);
    expect(await filesOf()).toBe(0);
    expect((await browser.get(`/dashboard/avatars/${me.userId}`)).status).toBe(404);
    await browser.upload(PICTURE, form(workspace, pngOf(10, 10)));
    await app.db.database.asWorker(workspace, (db) => placeEvents(db, workspace, signer, null));
    const farewell = { workspace, confirmation: me.email, currentPassword: PASSWORD };
    expect((await browser.post('/dashboard/account/data/delete', farewell)).status).toBe(303);
    expect(await filesOf()).toBe(0);
    expect((await app.db.owner.query('select from quorate.avatars where user_id = $1', [me.userId])).rowCount).toBe(0);
  });
});

describe('an API key', () => {
  const SCOPES = ['runs:read', 'workflows:read'];
  async function makeKey(browser: Browser, workspace: string, form: Record<string, string | string[]> = {}) {
    const { id } = (await browser.get('/dashboard/account/api-keys/new')).data as { id: string };
    const answer = await browser.post('/dashboard/account/api-keys/new', {
      workspace,
      id,
      name: 'Nightly',
      scopes: SCOPES,
      days: '90',
      ...form,
    });
    const { created } = answer.action as { created: { secret: string } | null };
    return { id, answer, secret: created?.secret ?? '' };
  }
  const ask = (secret: string, headers: Record<string, string> = {}) =>
    app.browser().get('/api/v1/key', { Authorization: `Bearer ${secret}`, ...headers });

  test('is shown once, kept as a hash alone, and says what it is good for', async () => {
    const { browser, me, workspace } = await newcomer('Grace');
    const { id, secret, answer } = await makeKey(browser, workspace);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.headers.get('Cache-Control')).toContain('no-store');
    expect(secret).toMatch(/^qk_[\w-]{43}$/);
    const { rows } = await app.db.owner.query(
      'select k::text as row, expires_at - created_at as life from quorate.api_keys k where id = $1',
      [id],
    );
    expect(rows[0].row).not.toContain(secret.slice(9));
    expect(JSON.stringify((await browser.get('/dashboard/account/api-keys')).data)).not.toMatch(/hash|qk_[\w-]{6,}/);
    const told = await ask(secret);
    expect(told.status).toBe(200);
    expect(JSON.parse(told.text)).toMatchObject({
      id,
      name: 'Nightly',
      scopes: SCOPES,
      workspace: { id: workspace },
      member: { id: me.userId, name: 'Grace' },
      roles: ['user', 'builder', 'auditor'],
    });
    expect(
      ((await browser.get('/dashboard/account/api-keys')).data as { keys: { lastUsedAt: string | null }[] }).keys[0]?.lastUsedAt,
    ).not.toBeNull();
    expect(await actionsIn(workspace)).toContain('apiKey.created');
  });

  test('stands in a list that continues to the oldest one, each once', async () => {
    const { browser, me, workspace } = await newcomer();
    await app.db.arrange(workspace, async (client) => {
      await client.query(
        `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, created_at)
         select gen_random_uuid(), $1, $2::uuid, n::text, 'qk_' || n, sha256(($2::uuid || ' ' || n)::bytea), '{runs:read}', now() - make_interval(mins => n / 3) from generate_series(1, 105) n`,
        [workspace, me.userId],
      );
    });
    for (const path of ['/dashboard/account/api-keys', '/dashboard/admin/api-keys']) {
      const seen = await walkList(async (params) => {
        const { keys, list } = (await browser.get(`${path}?${params}`)).data as LoadedKeyList;
        return { rows: keys.map(({ id }) => id), next: list.next };
      }, {});
      expect([seen.length, new Set(seen).size]).toEqual([105, 105]);
    }
  });

  test('is made once by a form that is sent twice, for a year at most, with scopes that there are', async () => {
    const { browser, workspace } = await newcomer();
    const { id } = await makeKey(browser, workspace);
    expect((await makeKey(browser, workspace, { id })).answer.status).toBe(400);
    const wrong: Record<string, string | string[]>[] = [
      { days: '366' },
      { days: '0' },
      { scopes: ['admin'] },
      { scopes: [] },
      { name: ' ' },
    ];
    for (const form of wrong) expect((await makeKey(browser, workspace, form)).answer.status).toBe(400);
    expect(((await browser.get('/dashboard/account/api-keys')).data as { keys: unknown[] }).keys).toHaveLength(1);
  });

  test('opens from the networks that it is for alone, and from everywhere where none is named', async () => {
    const { browser, workspace } = await newcomer();
    const { address } = (await browser.get('/dashboard/account/api-keys/new')).data as { address: string };
    const wrong = await makeKey(browser, workspace, { networks: '10.20.0.0/16\n10.20.0.0/40' });
    expect(wrong.answer).toMatchObject({ status: 400, action: { result: { error: { fieldErrors: expect.anything() } } } });
    expect(JSON.stringify(wrong.answer.action)).toContain('addressRange?entry=10.20.0.0%2F40');
    const many = Array.from({ length: 21 }, (_, n) => `10.20.${n}.0/24`).join(' ');
    expect(JSON.stringify((await makeKey(browser, workspace, { networks: many })).answer.action)).toContain('tooManyNetworks');
    const here = await makeKey(browser, workspace, { networks: `10.20.0.0/16, ${address}` });
    // Each browser comes from an address of its own.
    expect((await browser.get('/api/v1/key', { Authorization: `Bearer ${here.secret}` })).status).toBe(200);
    expect((await ask(here.secret)).status).toBe(401);
    const elsewhere = await makeKey(browser, workspace, { networks: '10.20.0.0/16' });
    expect(await ask(elsewhere.secret)).toMatchObject({ status: 401, text: expect.stringContaining('from this address') });
    const listed = (await browser.get('/dashboard/account/api-keys')).data as { keys: { id: string; networks: string[] }[] };
    expect(listed.keys.find(({ id }) => id === elsewhere.id)?.networks).toEqual(['10.20.0.0/16']);
    const { rows } = await app.db.owner.query(
      "select payload from quorate.audit_events where action = 'apiKey.created' and resource_id = $1",
      [elsewhere.id],
    );
    expect(rows[0].payload).toMatchObject({ networks: ['10.20.0.0/16'] });
  });

  test('with a scope outside the roles of its member is not made: the field says so, and what was typed stays', async () => {
    const { browser, me, workspace } = await newcomer();
    const heir = await newcomer();
    await app.db.arrange(workspace, async (client) => {
      await client.query(`insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{admin}', 'Heir', $3)`, [
        workspace,
        heir.me.userId,
        heir.email,
      ]);
      await client.query(`update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2`, [workspace, me.userId]);
    });
    const offered = ((await browser.get('/dashboard/account/api-keys/new')).data as { scopes: string[] }).scopes;
    expect(offered).toEqual(['runs:read', 'runs:start', 'workflows:read', 'approvals:read']);
    for (const outside of ['workflows:write', 'audit:read']) {
      const { answer } = await makeKey(browser, workspace, { name: 'Too much', scopes: ['runs:read', outside] });
      expect(answer).toMatchObject({
        status: 400,
        action: {
          created: null,
          result: {
            error: { fieldErrors: { scopes: [`scopeOutsideRoles?${new URLSearchParams({ scopes: outside })}`] } },
            submission: { payload: { name: 'Too much', scopes: ['runs:read', outside] } },
          },
        },
      });
    }
    expect(((await browser.get('/dashboard/account/api-keys')).data as { keys: unknown[] }).keys).toEqual([]);
    expect((await makeKey(browser, workspace, { scopes: offered })).answer.status).toBe(200);
  });

  test('is refused when revoked, over, garbled or missing, and once its membership has ended', async () => {
    const { browser, me, workspace } = await newcomer();
    const { id, secret } = await makeKey(browser, workspace);
    expect((await ask('qk_none')).status).toBe(401);
    expect((await app.browser().get('/api/v1/key')).headers.get('WWW-Authenticate')).toContain('Bearer');
    expect((await ask(`qk_${'a'.repeat(43)}`)).status).toBe(401);
    expect(await browser.post(`/dashboard/account/api-keys/${id}/revoke`, { workspace })).toMatchObject({ status: 303 });
    expect((await ask(secret)).status).toBe(401);
    expect((await browser.post(`/dashboard/account/api-keys/${id}/revoke`, { workspace })).status).toBe(404);
    expect(await actionsIn(workspace)).toContain('apiKey.revoked');

    const both = [await makeKey(browser, workspace), await makeKey(browser, workspace)];
    const ids = both.map((key) => key.id);
    const kept = await makeKey(browser, workspace);
    const stranger = await newcomer();
    const theirs = await makeKey(stranger.browser, stranger.workspace);
    const chosen = `/dashboard/account/api-keys/revoke?${[...ids, theirs.id, id].map((one) => `key=${one}`).join('&')}`;
    expect(((await browser.get(chosen)).data as { id: string }[]).map((key) => key.id).toSorted()).toEqual(ids.toSorted());
    expect(await browser.post('/dashboard/account/api-keys/revoke', { workspace, key: [...ids, theirs.id] })).toMatchObject({
      status: 303,
    });
    for (const { secret: ended } of both) expect((await ask(ended)).status).toBe(401);
    for (const { secret: going } of [kept, theirs]) expect((await ask(going)).status).toBe(200);
    expect((await browser.post('/dashboard/account/api-keys/revoke', { workspace })).status).toBe(400);

    const old = await makeKey(browser, workspace);
    await app.db.arrange(workspace, async (client) => {
      await client.query(`update quorate.api_keys set expires_at = now() - interval '1 second' where id = $1`, [old.id]);
    });
    expect((await ask(old.secret)).status).toBe(401);

    const last = await makeKey(browser, workspace);
    expect((await ask(last.secret)).status).toBe(200);
    const heir = await app.db.makeUser();
    await app.db.arrange(workspace, async (client) => {
      await client.query(
        `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{admin}', 'Heir', 'heir@example.com')`,
        [workspace, heir.id],
      );
      await client.query('delete from quorate.members where workspace_id = $1 and user_id = $2', [workspace, me.userId]);
    });
    expect((await ask(last.secret)).status).toBe(401);
  });

  test('counts in the header alone: not in the address, and no cookie stands in for it', async () => {
    const { browser, workspace } = await newcomer();
    const { secret } = await makeKey(browser, workspace);
    expect((await app.browser().get(`/api/v1/key?api_key=${secret}`)).status).toBe(400);
    expect(
      (await ask(secret, {}).then(() => app.browser().get(`/api/v1/key?q=${secret}`, { Authorization: `Bearer ${secret}` }))).status,
    ).toBe(400);
    expect((await browser.get('/api/v1/key')).status).toBe(401);
    // and a key opens no page: who shows one is no browser, cookie or not
    expect((await browser.copy().get('/dashboard/runs', { Authorization: `Bearer ${secret}` })).status).toBe(302);
  });

  test('is slowed on its own, and guessing by address', async () => {
    const { browser, workspace } = await newcomer();
    const { secret } = await makeKey(browser, workspace);
    const guesser = app.browser();
    const answers: number[] = [];
    for (let n = 0; n < 31; n += 1)
      answers.push((await guesser.get('/api/v1/key', { Authorization: `Bearer qk_${'b'.repeat(43)}` })).status);
    expect(answers.filter((status) => status === 401)).toHaveLength(30);
    expect(answers.at(-1)).toBe(429);
    expect((await ask(secret)).status).toBe(200);
    const { rows } = await app.db.owner.query('select id from quorate.api_keys where key_hash = $1', [
      createHash('sha256').update(secret).digest(),
    ]);
    const subject = createHash('sha256').update(rows[0].id).digest('base64url');
    await app.db.owner.query('update quorate.rate_limits set hits = 600 where key = $1', [`keyPace:${subject}`]);
    const slowed = await ask(secret);
    expect(slowed.status).toBe(429);
    expect(Number(slowed.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('is seen by admins, and revoked by its owner alone', async () => {
    const { browser, workspace } = await newcomer();
    const { id } = await makeKey(browser, workspace);
    expect(((await browser.get('/dashboard/admin/api-keys')).data as { keys: { id: string }[] }).keys).toMatchObject([{ id }]);
    const stranger = await newcomer();
    expect((await stranger.browser.get(`/dashboard/account/api-keys/${id}/revoke`)).status).toBe(404);
    expect((await stranger.browser.post(`/dashboard/account/api-keys/${id}/revoke`, { workspace: stranger.workspace })).status).toBe(404);
  });
});

describe('the security of an account', () => {
  const NEXT = 'another battery staple';

  test('lets the password change against the present one, ends other sessions and tells the owner', async () => {
    const { email, browser, workspace } = await newcomer();
    const phone = await signInAgain(email);
    const form = { workspace, form: 'password', currentPassword: 'wrong', newPassword: NEXT };
    const wrong = await browser.post('/dashboard/account/security', form);
    expect(wrong.status).toBe(400);
    expect(JSON.stringify(wrong.action)).not.toContain(NEXT);
    expect((await browser.post('/dashboard/account/security', { ...form, currentPassword: PASSWORD, newPassword: '12345' })).status).toBe(
      400,
    );
    const leaked = await browser.post('/dashboard/account/security', { ...form, currentPassword: PASSWORD, newPassword: 'Password1' });
    expect(leaked.status).toBe(400);
    expect(JSON.stringify(leaked.action)).toContain('passwordLeaked');
    expect((await browser.post('/dashboard/account/security', { ...form, currentPassword: PASSWORD })).status).toBe(303);
    expect((await phone.get('/dashboard/runs')).status).toBe(302);
    expect((await browser.get('/dashboard/runs')).status).toBe(200);
    expect(app.mails.findLast((mail) => mail.to === email)?.subject).toBe('Your Quorate password was changed');
    expect((await app.browser().post('/auth', { form: 'sign-in', email, password: NEXT })).status).toBe(303);
    expect(await actionsIn(workspace)).toContain('account.passwordChanged');
  });

  test('changes the address when the new mailbox confirms, after the password, and tells the old one', async () => {
    const { email, browser, workspace, me } = await newcomer();
    const next = newEmail();
    const form = { workspace, form: 'email', email: next, currentPassword: PASSWORD };
    expect((await browser.post('/dashboard/account/security', { ...form, currentPassword: 'wrong' })).status).toBe(400);
    expect(app.mails.some((mail) => mail.to === next)).toBe(false);
    expect((await browser.post('/dashboard/account/security', form)).status).toBe(303);
    expect(app.mails.findLast((mail) => mail.to === email)?.subject).toBe('Request to change your Quorate address');
    const emailNow = async () =>
      (await app.db.owner.query('select email from quorate.members where user_id = $1', [me.userId])).rows[0].email;
    expect(await emailNow()).toBe(email);
    expect((await app.browser().post(app.linkTo(next), { form: 'link' })).status).toBe(303);
    expect(await emailNow()).toBe(next);
    expect((await app.browser().post('/auth', { form: 'sign-in', email: next, password: PASSWORD })).status).toBe(303);
    expect((await app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD })).status).toBe(400);
    expect(await actionsIn(workspace)).toEqual(expect.arrayContaining(['account.emailChangeRequested', 'member.emailChanged']));
  });

  test('does not tell whether another address has an account', async () => {
    const taken = (await newcomer()).email;
    const { browser, workspace } = await newcomer();
    const form = { workspace, form: 'email', email: taken, currentPassword: PASSWORD };
    expect(await browser.post('/dashboard/account/security', form)).toMatchObject({ status: 303, location: '/dashboard/account/security' });
  });
});

describe('one’s own data', () => {
  test('comes as one file with everything of this person, nothing of others and no secret', async () => {
    const other = await newcomer('Mallory');
    const { email, browser, me, workspace } = await newcomer('Ada');
    await browser.post('/dashboard/account/preferences', { workspace, language: 'fr', timeZone: 'Europe/Paris' });
    const answer = await browser.get('/dashboard/account/data/export');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Disposition')).toMatch(/^attachment; filename="quorate-account-/);
    const file = JSON.parse(answer.text);
    expect(file).toMatchObject({
      format: 'quorate.account/1',
      account: { email },
      profile: { id: me.userId, display_name: 'Ada' },
      memberships: [{ workspaceId: workspace, email }],
      preferences: { language: 'fr' },
    });
    expect(file.sessions).toHaveLength(1);
    expect(file.auditEvents.map(({ action }: { action: string }) => action)).toContain('workspace.created');
    expect(answer.text).not.toContain(other.email);
    expect(answer.text).not.toMatch(/key_hash|password|refresh_token/i);
  });

  const placed = async (...workspaces: string[]) => {
    for (const id of workspaces) await app.db.database.asWorker(id, (db) => placeEvents(db, id, signer, null));
  };

  test('is erased after the address was typed and the password given; what was done stays under a number', async () => {
    const boss = await newcomer('Boss');
    const { email, browser, me, workspace } = await newcomer('Unusualname');
    await app.db.arrange(boss.workspace, async (client) => {
      await client.query(
        `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', 'Unusualname', $3)`,
        [boss.workspace, me.userId, email],
      );
    });
    const phone = await signInAgain(email);
    const form = { workspace, confirmation: email, currentPassword: PASSWORD };
    expect((await browser.post('/dashboard/account/data/delete', { ...form, confirmation: 'delete' })).status).toBe(400);
    expect((await browser.post('/dashboard/account/data/delete', { ...form, currentPassword: 'wrong' })).status).toBe(400);
    expect((await browser.get('/dashboard/account/data/delete')).data).toMatchObject({
      goes: [{ id: workspace }],
      stays: [{ id: boss.workspace }],
    });
    await placed(workspace, boss.workspace);
    expect(await browser.post('/dashboard/account/data/delete', form)).toMatchObject({ status: 303, location: '/' });
    expect(browser.cookies.has(COOKIE)).toBe(false);
    expect((await phone.get('/dashboard/runs')).status).toBe(302);
    expect((await app.browser().post('/auth', { form: 'sign-in', email, password: PASSWORD })).status).toBe(400);
    expect(app.mails.findLast((mail) => mail.to === email)?.subject).toBe('Your Quorate account was deleted');

    for (const table of [
      'members',
      'invitations',
      'audit_events',
      'workspaces',
      'deliveries',
      'user_sessions',
      'preferences',
      'notifications',
    ]) {
      const { rows } = await app.db.owner.query(`select t::text as row from quorate.${table} t`);
      expect(rows.filter(({ row }) => row.includes(email) || row.includes('Unusualname'))).toEqual([]);
    }
    const users = await app.db.owner.query('select from auth.users where id = $1', [me.userId]);
    expect(users.rowCount).toBe(0);
    const { rows } = await app.db.owner.query('select action, body_digest, salt from quorate.audit_events where actor_id = $1', [
      me.userId,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(expect.arrayContaining(['workspace.created', 'workspace.deleted', 'account.deleted']));
    expect(rows.filter(({ action }) => action === 'workspace.created')).toMatchObject([{ salt: null, body_digest: expect.anything() }]);

    // The last entry of a log that has lost its workspace is placed and signed like any other.
    const waiting = await app.db.owner.query('select from quorate.pending_log_workspaces() as w (id) where w.id = $1', [workspace]);
    expect(waiting.rowCount).toBe(1);
    await placed(workspace);
    const log = await app.db.owner.query(
      `select e.action, e.leaf_index, (select max(c.size) from quorate.checkpoints c where c.workspace_id = e.workspace_id) as signed
       from quorate.audit_events e where e.workspace_id = $1 order by e.leaf_index desc nulls first limit 1`,
      [workspace],
    );
    expect(log.rows).toEqual([{ action: 'workspace.deleted', leaf_index: expect.anything(), signed: expect.anything() }]);
    expect(Number(log.rows[0].signed)).toBe(Number(log.rows[0].leaf_index) + 1);
  });

  test('is not erased while the last admin leaves others behind', async () => {
    const { email, browser, workspace } = await newcomer();
    const guest = await app.db.makeUser();
    await app.db.arrange(workspace, async (client) => {
      await client.query(`insert into quorate.members (workspace_id, user_id, name, email) values ($1, $2, 'Guest', 'guest@example.com')`, [
        workspace,
        guest.id,
      ]);
    });
    await placed(workspace);
    expect((await browser.get('/dashboard/account/data/delete')).data).toMatchObject({ blocks: [{ id: workspace }] });
    expect(
      (await browser.post('/dashboard/account/data/delete', { workspace, confirmation: email, currentPassword: PASSWORD })).status,
    ).toBe(409);
    expect((await browser.get('/dashboard/runs')).status).toBe(200);
  });
});
