/** Sign-in by a company's provider: from the first redirect to the session, and everything that must not lead to one. */
import { generateKeyPair, SignJWT } from 'jose';
import { v7 as newId } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { providerSealContext } from '#app/engine/commands/sign-in/provider-input.ts';
import { CLIENT_SECRET, type CompanyIdp, startCompanyIdp } from '#tests/integration/support/company-idp.ts';
import { type Answer, type Browser, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';
import type { TestMember } from '#tests/support/test-database.ts';

type Me = { userId: string; sessionId: string; email: string; roles: string[]; name: string; workspace: { id: string } };

let app: IdentityApp;
/** One that takes pushed requests, and one that does not. */
let pushed: CompanyIdp;
let plain: CompanyIdp;
let workspace: { id: string; members: TestMember[] };
let domains = 0;
let domain: string;
let provider: string;
let other: string;

beforeAll(async () => {
  app = await startIdentityApp();
  pushed = await startCompanyIdp({ par: true });
  plain = await startCompanyIdp({ par: false });
  workspace = await app.db.makeWorkspace({ name: 'Acme', members: [{ roles: ['user', 'admin'] }, { roles: ['user', 'approver'] }] });
  domain = `acme-${++domains}.example`;
  other = await addProvider(plain);
  provider = await addProvider(pushed);
  await prove(domain);
  await turnOn(provider);
});
afterEach(() => {
  for (const idp of [pushed, plain]) Object.assign(idp, { forge: null, metadata: {} });
});
afterAll(async () => {
  await pushed.close();
  await plain.close();
  await app.close();
});

const query = async (text: string, values: unknown[] = []) => (await app.db.owner.query(text, values)).rows;
const arrange = (text: string, values: unknown[]) =>
  app.db.arrange(workspace.id, async (client) => {
    await client.query(text, values);
  });

async function addProvider(idp: CompanyIdp): Promise<string> {
  const id = newId();
  await arrange(
    `insert into quorate.identity_providers (id, workspace_id, name, issuer, client_id, sealed_secret, tested_at)
     values ($1, $2, 'Acme login', $3, $4, $5, now())`,
    [id, workspace.id, idp.issuer, idp.clientId, app.services.engine.sealer.seal(CLIENT_SECRET, providerSealContext(id))],
  );
  return id;
}
const prove = (name: string) =>
  arrange(
    "insert into quorate.verified_domains (workspace_id, domain, token, verified_at) values ($1, $2, 'a token of 20 letters or more', now())",
    [workspace.id, name],
  );
const turnOn = (id: string, { enforced = false, exempt = [] as string[] } = {}) =>
  arrange(
    `update quorate.workspaces w set sign_in = jsonb_build_object('provider', quorate.state_of_provider(i), 'enforced', $3::boolean,
       'exempt', $4::jsonb) from quorate.identity_providers i where w.id = $1 and i.id = $2`,
    [workspace.id, id, enforced, JSON.stringify(exempt)],
  );
const giveGroups = async (groups: Record<string, string[]>) => {
  await arrange('delete from quorate.group_roles where workspace_id = $1', [workspace.id]);
  for (const [name, roles] of Object.entries(groups))
    await arrange('insert into quorate.group_roles (workspace_id, group_name, roles) values ($1, $2, $3)', [workspace.id, name, roles]);
};

let people = 0;
/** Somebody of the company, as the provider knows them. */
function someone(claims: Record<string, unknown> = {}) {
  const sub = `person-${++people}`;
  return { sub, email: `${sub}@${domain}`, email_verified: true, name: `Person ${people}`, ...claims };
}

/** Sends the browser to the provider, and returns where that sends it back to. */
async function toProvider(browser: Browser, idp = pushed, id = provider): Promise<URL> {
  const begun = await browser.get(`/sign-in/company/start?provider=${id}`);
  expect(begun.location).toMatch(new RegExp(`^${idp.issuer}/auth\\?`));
  return idp.signIn(begun.location ?? '');
}
const comeBack = (browser: Browser, { pathname, search }: URL) => browser.get(`${pathname}${search}`);

async function signIn(claims: CompanyIdp['person'], browser = app.browser()): Promise<{ browser: Browser; answer: Answer; me: Me | null }> {
  pushed.person = claims;
  const answer = await comeBack(browser, await toProvider(browser));
  const signedIn = answer.location !== null && !answer.location.startsWith('/sign-in/');
  return { browser, answer, me: signedIn ? ((await browser.get('/dashboard/runs')).data as Me) : null };
}

const membersOf = (email: string) =>
  query('select roles from quorate.members where workspace_id = $1 and email = $2', [workspace.id, email]);
const refusals = async () =>
  (
    await query(
      "select payload ->> 'reason' as reason from quorate.audit_events where workspace_id = $1 and action = 'signIn.refused' order by id",
      [workspace.id],
    )
  ).map(({ reason }) => reason);
/** That this answer opened nothing, says why, and stands in the log. */
async function expectRefused(browser: Browser, answer: Answer, reason: string): Promise<void> {
  expect(answer.location).toBe(`/sign-in/company?failed=${reason}`);
  expect((await browser.get('/dashboard/runs')).location).toMatch(/^\/auth/);
  expect((await refusals()).at(-1)).toBe(reason);
}

describe('a stranger of a proven domain', () => {
  test('signs in, becomes a member with the default role, and comes back as the same', async () => {
    const person = someone();
    const first = await signIn(person);
    expect(first.answer).toMatchObject({ status: 303, location: '/dashboard' });
    expect(first.me).toMatchObject({ email: person.email, name: person.name, roles: ['user'], workspace: { id: workspace.id } });
    const again = await signIn({ ...person, name: 'Married Name', email: `new-${person.email}` });
    expect(again.me).toMatchObject({ userId: first.me?.userId, email: person.email });
    const sessions = await query('select subject, amr, acr, sid from quorate.company_sessions where user_id = $1', [first.me?.userId]);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({ subject: person.sub, amr: ['pwd', 'otp'], acr: 'urn:company:one' });
  });
});

describe('an answer that is not the provider’s, not for us or not for this browser', () => {
  test('comes back once: a state, and a code, of before open nothing', async () => {
    pushed.person = someone();
    const browser = app.browser();
    const back = await toProvider(browser);
    expect((await comeBack(browser.copy(), back)).location).toBe('/dashboard');
    const again = await comeBack(browser, back);
    expect(again.location).toBe('/sign-in/company?failed=state');
    expect((await browser.get('/dashboard/runs')).location).toMatch(/^\/auth/);
    // the code of before, with a sign-in that has just begun
    const code = back.searchParams.get('code') ?? '';
    const fresh = await toProvider(browser);
    fresh.searchParams.set('code', code);
    await expectRefused(browser, await comeBack(browser, fresh), 'code');
  });

  test('with a state that nobody sent, or in another browser, opens nothing', async () => {
    pushed.person = someone();
    const browser = app.browser();
    const back = await toProvider(browser);
    const forged = new URL(back);
    forged.searchParams.set('state', 'a'.repeat(43));
    expect((await comeBack(browser, forged)).location).toBe('/sign-in/company?failed=state');
    const other = app.browser();
    await expectRefused(other, await comeBack(other, back), 'state');
  });

  test('of another issuer is refused, and so is one that names none where it should', async () => {
    const browser = app.browser();
    pushed.person = someone();
    const mixed = await toProvider(browser);
    mixed.searchParams.set('iss', plain.issuer);
    await expectRefused(browser, await comeBack(browser, mixed), 'issuer');
    const silent = await toProvider(browser);
    silent.searchParams.delete('iss');
    await expectRefused(browser, await comeBack(browser, silent), 'issuer');
  });

  test('whose person was refused there says so', async () => {
    const browser = app.browser();
    const back = await toProvider(browser);
    back.searchParams.delete('code');
    back.searchParams.set('error', 'access_denied');
    await expectRefused(browser, await comeBack(browser, back), 'denied');
  });

  const hour = 3600;
  test.each<[string, string, NonNullable<CompanyIdp['forge']>]>([
    ['another nonce', 'nonce', (payload, sign) => sign({ ...payload, nonce: 'another' })],
    ['no nonce', 'token', ({ nonce: _, ...payload }, sign) => sign(payload)],
    ['another audience', 'token', (payload, sign) => sign({ ...payload, aud: 'another client' })],
    ['several audiences and no party', 'token', (payload, sign) => sign({ ...payload, aud: [String(payload.aud), 'another'] })],
    ['another issuer inside', 'token', (payload, sign) => sign({ ...payload, iss: 'https://elsewhere.example' })],
    ['an end that has passed', 'token', (payload, sign) => sign({ ...payload, iat: 1_000 + hour, exp: 1_000 + 2 * hour })],
    ['no signature', 'token', async (payload) => `${base64({ alg: 'none' })}.${base64(payload)}.`],
    [
      'the secret of the client as its key',
      'token',
      (payload) => new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: 'company' }).sign(new TextEncoder().encode(CLIENT_SECRET)),
    ],
    [
      'the published key as a secret',
      'token',
      async (payload) => {
        const { keys } = await (await fetch(`${pushed.issuer}/jwks`)).json();
        return new SignJWT(payload)
          .setProtectedHeader({ alg: 'HS256', kid: 'company' })
          .sign(new TextEncoder().encode(JSON.stringify(keys[0])));
      },
    ],
    [
      'a key of somebody else',
      'token',
      async (payload) => {
        const { privateKey } = await generateKeyPair('RS256');
        return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'company' }).sign(privateKey);
      },
    ],
  ])('with an ID token of %s is refused', async (_, reason, forge) => {
    pushed.person = someone();
    pushed.forge = forge;
    const browser = app.browser();
    await expectRefused(browser, await comeBack(browser, await toProvider(browser)), reason);
    expect(await membersOf(String(pushed.person.email))).toEqual([]);
  });

  test('of a request whose PKCE was taken out on the way is refused', async () => {
    await turnOn(other);
    try {
      plain.person = someone();
      const browser = app.browser();
      const begun = new URL((await browser.get(`/sign-in/company/start?provider=${other}`)).location ?? '');
      expect(begun.searchParams.get('code_challenge_method')).toBe('S256');
      begun.searchParams.delete('code_challenge');
      begun.searchParams.delete('code_challenge_method');
      const back = await plain.signIn(begun.href);
      const answer = await comeBack(browser, back);
      expect(answer.location).toMatch(/^\/sign-in\/company\?failed=(?:code|denied)$/);
      expect((await browser.get('/dashboard/runs')).location).toMatch(/^\/auth/);
    } finally {
      await turnOn(provider);
    }
  });

  test('goes to no other address of ours, and after it nowhere but here', async () => {
    pushed.person = someone();
    const browser = app.browser();
    const begun = await browser.get(`/sign-in/company/start?provider=${provider}&next=https://elsewhere.example/`);
    expect((await comeBack(browser, await pushed.signIn(begun.location ?? ''))).location).toBe('/dashboard');
  });
});

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('groups', () => {
  test('give and take the roles that they name, leave all others, and keep the last admin', async () => {
    await giveGroups({ Builders: ['builder'], Chiefs: ['approver', 'admin'] });
    const person = someone({ groups: ['Builders', 'Others'] });
    expect((await signIn(person)).me?.roles).toEqual(['user', 'builder']);
    await arrange("update quorate.members set roles = '{user,builder,auditor}' where workspace_id = $1 and email = $2", [
      workspace.id,
      person.email,
    ]);
    expect((await signIn({ ...person, groups: ['Chiefs'] })).me?.roles).toEqual(['user', 'approver', 'auditor', 'admin']);
    // no word of groups takes nothing
    expect((await signIn({ ...person, groups: undefined })).me?.roles).toEqual(['user', 'approver', 'auditor', 'admin']);
    expect((await signIn({ ...person, groups: [] })).me?.roles).toEqual(['user', 'auditor']);
    const [admin] = workspace.members;
    await arrange("update quorate.members set roles = '{user,admin}' where workspace_id = $1 and email = $2", [workspace.id, person.email]);
    await arrange("update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2", [workspace.id, admin?.id]);
    expect((await signIn({ ...person, groups: [] })).me?.roles).toEqual(['user', 'admin']);
    await arrange("update quorate.members set roles = '{user,admin}' where workspace_id = $1 and user_id = $2", [workspace.id, admin?.id]);
    await giveGroups({});
  });
});

test('whom the directory has taken out does not come back by the provider', async () => {
  const person = someone();
  await arrange('insert into quorate.directory_people (id, workspace_id, user_name, email, active) values ($1, $2, $3, $3, false)', [
    newId(),
    workspace.id,
    person.email,
  ]);
  await expectRefused(app.browser(), (await signIn(person)).answer, 'ended');
  expect(await query('select id from auth.users where email = $1', [person.email])).toEqual([]);
});

describe('an account that was there before', () => {
  test('of a proven domain is taken as the same person, once its address is verified', async () => {
    const person = someone();
    const before = await app.newcomer(person.email, { name: 'Before' });
    const own = (await before.get('/dashboard/runs')).data as Me;
    const { me } = await signIn(person);
    expect(me?.userId).toBe(own.userId);
    expect(await membersOf(person.email)).toEqual([{ roles: ['user'] }]);
    // another subject of the provider with the same address is another person
    await expectRefused(app.browser(), (await signIn({ ...person, sub: `${person.sub}-again` })).answer, 'other_subject');
  });

  test('that nobody had confirmed loses the password of whoever made it', async () => {
    const person = someone();
    const stranger = app.browser();
    await stranger.post('/auth?mode=sign-up', { form: 'sign-up', email: person.email, password: PASSWORD, name: 'Not me' });
    expect((await signIn(person)).me).toMatchObject({ email: person.email });
    const answer = await stranger.post('/auth', { form: 'sign-in', email: person.email, password: PASSWORD });
    expect(answer.status).toBe(400);
  });

  test.each([
    ['the provider did not verify', () => someone({ email_verified: false })],
    ['the provider says nothing of', () => someone({ email_verified: undefined })],
    ['is of another domain', () => someone({ email: 'guest@elsewhere.example' })],
  ])('whose address %s is asked to prove itself, like one that there is not', async (_, claims) => {
    const person = claims();
    const browser = app.browser();
    expect((await signIn(person, browser)).answer.location).toBe('/sign-in/company/link');
    expect((await browser.get('/dashboard/runs')).location).toMatch(/^\/auth/);
    expect((await browser.post('/sign-in/company/link', {})).location).toBe('/sign-in/company/link');
    expect(await membersOf(String(person.email))).toEqual([]);
  });

  test('proves itself as itself alone, by signing in as before', async () => {
    const person = someone({ email: `guest-${people}@elsewhere.example` });
    const owner = await app.newcomer(person.email, { name: 'Owner' });
    const thief = await app.newcomer(someone().email);
    await signIn(person, thief);
    expect((await thief.get('/sign-in/company/link')).data).toMatchObject({
      email: person.email,
      signIn: expect.stringMatching(/^\/auth\?/),
    });
    expect((await thief.post('/sign-in/company/link', {})).location).toBe('/sign-in/company?failed=other_account');
    expect(await membersOf(person.email)).toEqual([]);
    await signIn(person, owner);
    expect((await owner.get('/sign-in/company/link')).data).toMatchObject({ email: person.email, signIn: null });
    expect((await owner.post('/sign-in/company/link', {})).location).toBe('/dashboard');
    const own = (await owner.get('/dashboard/runs')).data as Me;
    expect((await signIn(person)).me?.userId).toBe(own.userId);
    expect(await membersOf(person.email)).toEqual([{ roles: ['user'] }]);
  });
});

describe('one’s own providers', () => {
  const SECURITY = '/dashboard/account/security';
  type Listed = { identities: { key: string; provider: string; workspace: string; required: boolean }[] };

  test('are listed and disconnected with a proof, where the workspace takes another sign-in too', async () => {
    const person = someone();
    const owner = await app.newcomer(person.email);
    const { userId, workspace: own } = (await owner.get('/dashboard/runs')).data as Me & { workspace: { id: string } };
    await signIn(person);
    const listed = async () => ((await owner.get(SECURITY)).data as Listed).identities;
    const [linked] = await listed();
    expect(linked).toMatchObject({ provider: 'Acme login', workspace: 'Acme', required: false });
    const form = { form: 'identity', workspace: own.id, key: linked?.key ?? '', password: PASSWORD };
    const wrong = await owner.post(SECURITY, { ...form, password: 'not the password' });
    expect(wrong).toMatchObject({ status: 400, action: { form: 'identity', key: linked?.key } });
    expect((await owner.post(SECURITY, { ...form, key: 'f'.repeat(64) })).status).toBe(404);
    const stranger = await app.newcomer(someone().email);
    const theirs = (await stranger.get('/dashboard/runs')).data as { workspace: { id: string } };
    expect((await stranger.post(SECURITY, { ...form, workspace: theirs.workspace.id })).status).toBe(404);
    await turnOn(provider, { enforced: true, exempt: workspace.members.map(({ id }) => id).slice(0, 1) });
    try {
      expect(await listed()).toMatchObject([{ required: true }]);
      const refused = await owner.post(SECURITY, form);
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.action)).toContain('signInRequired');
    } finally {
      await turnOn(provider);
    }
    expect(await owner.post(SECURITY, form)).toMatchObject({ status: 303, location: SECURITY });
    expect(await listed()).toEqual([]);
    expect(await query('select from quorate.company_identities where user_id = $1', [userId])).toEqual([]);
    expect(
      await query("select from quorate.audit_events where actor_id = $1 and action = 'account.identityRemoved'", [userId]),
    ).toHaveLength(2);
    expect(app.mails.findLast(({ to }) => to === person.email)?.subject).toMatch(/was disconnected/);
    expect((await owner.post(SECURITY, form)).status).toBe(404);
  });
});

describe('where the sign-in is enforced', () => {
  const exempt = () => workspace.members.map(({ id }) => id).slice(0, 1);

  test('a password opens nothing of the workspace, other than for the exempt; the provider does', async () => {
    const person = someone();
    const byPassword = await app.newcomer(person.email);
    const { browser } = await signIn(person);
    const chosen = (from: Browser) => {
      from.cookies.set('workspace', workspace.id);
      return from;
    };
    expect((await chosen(byPassword).get('/dashboard/runs')).status).toBe(200);
    await turnOn(provider, { enforced: true, exempt: exempt() });
    try {
      const turned = await byPassword.get('/dashboard/runs');
      expect(turned.location).toMatch(new RegExp(`^/sign-in/company\\?workspace=${workspace.id}&next=`));
      const page = await byPassword.get(turned.location ?? '');
      expect(page.data).toMatchObject({ required: true, realm: { providerName: 'Acme login', workspaceName: 'Acme' } });
      expect((await byPassword.post('/dashboard/account/profile', { workspace: workspace.id, name: 'Mallory' })).status).toBe(401);
      const own = await query(
        'select id from auth.sessions where user_id = (select id from auth.users where email = $1) order by created_at',
        [person.email],
      );
      const who = {
        userId: String((await query('select id from auth.users where email = $1', [person.email]))[0].id),
        workspaceId: workspace.id,
      };
      await expect(app.db.database.asMember({ ...who, sessionId: own[0].id }, async () => undefined)).rejects.toMatchObject({
        code: 'forbidden',
      });
      const byMail = app.browser();
      await app.db.owner.query('delete from quorate.rate_limits');
      await byMail.post('/auth/mail', { form: 'ask', email: person.email });
      const mailed = await byMail.get(app.linkTo(person.email));
      expect((await byMail.post(mailed.location ?? '', { form: 'link' })).status).toBe(303);
      expect((await chosen(byMail).get('/dashboard/runs')).location).toMatch(/^\/sign-in\/company\?/);
      expect((await chosen(browser).get('/dashboard/runs')).status).toBe(200);
      const [admin] = workspace.members;
      const inside = { userId: admin?.id ?? '', sessionId: admin?.sessionId ?? '', workspaceId: workspace.id };
      await app.db.database.asMember(inside, async () => undefined);
    } finally {
      await turnOn(provider);
    }
  });

  test('a provider that is down ends no session, and says so to whoever comes', async () => {
    const { browser } = await signIn(someone());
    await arrange("update quorate.workspaces set private_network = '[]' where id = $1", [workspace.id]);
    try {
      const newcomer = app.browser();
      await expectRefused(newcomer, await newcomer.get(`/sign-in/company/start?provider=${provider}`), 'unreachable');
      expect((await newcomer.get('/sign-in/company?failed=unreachable')).data).toMatchObject({ failed: 'unreachable' });
      expect((await browser.get('/dashboard/runs')).status).toBe(200);
    } finally {
      await arrange('update quorate.workspaces set private_network = \'["127.0.0.0/8", "::1"]\' where id = $1', [workspace.id]);
    }
  });
});

describe('home-realm discovery', () => {
  test('says of an address whether its domain has a provider, and nothing else', async () => {
    const browser = app.browser();
    const known = await browser.post('/sign-in/company', { email: `whoever@${domain.toUpperCase()}` });
    expect(known.location).toBe(`/sign-in/company?domain=${domain}`);
    expect((await browser.get(known.location ?? '')).data).toMatchObject({
      realm: { providerName: 'Acme login', start: `/sign-in/company/start?provider=${provider}` },
    });
    const unknown = await browser.post('/sign-in/company', { email: 'whoever@nobody.example' });
    expect((await browser.get(unknown.location ?? '')).data).toMatchObject({ realm: null, asked: 'nobody.example' });
    expect((await browser.post('/sign-in/company', { email: 'no address' })).status).toBe(400);
  });
});

describe('a logout at the provider', () => {
  const logout = (token: string) => app.browser().post(`/sign-in/company/logout/${workspace.id}`, { logout_token: token });
  const tokenFor = (claims: Record<string, unknown>, header?: { typ?: string }) =>
    pushed.sign(
      {
        iss: pushed.issuer,
        aud: pushed.clientId,
        iat: Math.floor(Date.now() / 1000),
        jti: newId(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...claims,
      },
      { typ: 'logout+jwt', ...header },
    );

  test('ends the sessions of that subject, or the one that it names, and no others', async () => {
    const [one, two] = [someone(), someone()];
    const [first, second, other] = [await signIn(one), await signIn(one), await signIn(two)];
    const [{ sid }] = await query('select sid from quorate.company_sessions where session_id = $1', [first.me?.sessionId]);
    expect((await logout(await tokenFor({ sub: one.sub, sid }))).status).toBe(200);
    expect((await first.browser.get('/dashboard/runs')).status).toBe(302);
    expect((await second.browser.get('/dashboard/runs')).status).toBe(200);
    expect((await logout(await tokenFor({ sub: one.sub }))).status).toBe(200);
    expect((await second.browser.get('/dashboard/runs')).status).toBe(302);
    expect((await other.browser.get('/dashboard/runs')).status).toBe(200);
  });

  test.each<[string, Record<string, unknown>, { typ?: string }?]>([
    ['of another type', {}, { typ: 'JWT' }],
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['that is old', { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ['with a nonce, which an ID token has', { nonce: 'a' }],
    ['without the event', { events: {} }],
    ['about nobody', { sub: undefined }],
    ['without an id', { jti: undefined }],
  ])('token %s ends nothing', async (_, claims, header) => {
    const person = someone();
    const { browser } = await signIn(person);
    expect((await logout(await tokenFor({ sub: person.sub, ...claims }, header))).status).toBe(400);
    expect((await browser.get('/dashboard/runs')).status).toBe(200);
  });

  test('token counts once, and one that is none counts never', async () => {
    const person = someone();
    await signIn(person);
    const token = await tokenFor({ sub: person.sub });
    expect((await logout(token)).status).toBe(200);
    expect((await logout(token)).status).toBe(400);
    expect((await logout('no token')).status).toBe(400);
  });
});

describe('an administrator', () => {
  let admin: Browser;
  let home: string;
  const page = '/dashboard/admin/sign-in';
  const configuration = () => ({
    workspace: home,
    name: 'Own login',
    issuer: plain.issuer,
    clientId: plain.clientId,
    clientSecret: CLIENT_SECRET,
    emailClaim: 'email',
    nameClaim: 'name',
    groupsClaim: 'groups',
    defaultRoles: 'user',
  });
  const stateOf = async () => (await query('select sign_in from quorate.workspaces where id = $1', [home]))[0].sign_in;

  beforeAll(async () => {
    admin = await app.newcomer('alone@own.example', { name: 'Alone' });
    home = ((await admin.get('/dashboard/runs')).data as Me).workspace.id;
    await app.db.arrange(home, async (client) => {
      await client.query('update quorate.workspaces set private_network = \'["127.0.0.0/8"]\' where id = $1', [home]);
    });
  });

  test('turns on no provider that was not tested; a test shows the claims, signs nobody in, and is for an admin of the workspace', async () => {
    const added = await admin.post(`${page}/new`, configuration());
    const id = /([0-9a-f-]{36})$/.exec(added.location ?? '')?.[1] ?? '';
    expect((await admin.post(page, { workspace: home, provider: id })).status).toBe(400);
    plain.person = { sub: 'the admin', email: 'alone@own.example', email_verified: true, name: 'Alone', groups: ['Board'] };
    const begun = await admin.get(`${page}/${id}/begin-test`);
    const sessions = await query('select count(*)::int as n from auth.sessions');
    const shown = await comeBack(admin, await plain.signIn(begun.location ?? ''));
    expect(shown.location).toMatch(new RegExp(`^${page}/${id}/test\\?result=`));
    expect((await admin.get(shown.location ?? '')).data).toMatchObject({
      result: { subject: 'the admin', person: { email: 'alone@own.example', verified: true, groups: ['Board'] } },
    });
    expect(await query('select count(*)::int as n from auth.sessions')).toEqual(sessions);
    const result = new URL(shown.location ?? '', 'http://here').searchParams.get('result') ?? '';
    const stranger = await app.newcomer('stranger@own.example');
    expect((await stranger.get(shown.location ?? '')).status).toBe(404);
    expect((await admin.post(`${page}/${id}/test`, { workspace: home, result })).status).toBe(303);
    expect((await admin.post(`${page}/${id}/test`, { workspace: home, result })).status).toBe(404);
    // nobody is there to agree
    expect((await admin.post(page, { workspace: home, provider: id })).status).toBe(303);
    expect(await stateOf()).toMatchObject({ provider: { id, issuer: plain.issuer }, enforced: false });
    // what counts stays as it is
    expect((await admin.post(`${page}/${id}`, { ...configuration(), issuer: 'https://elsewhere.example' })).status).toBe(409);
    await admin.post(`${page}/${id}`, { workspace: home, intent: 'remove' });
    expect(await stateOf()).toMatchObject({ provider: { id, issuer: plain.issuer } });
  });

  test('proves a domain by its record, which counts for one workspace', async () => {
    expect((await admin.post(page, { workspace: home, intent: 'addDomain', domain: 'no domain' })).status).toBe(400);
    await admin.post(page, { workspace: home, intent: 'addDomain', domain: 'Own.Example' });
    const verify = (name: string) => admin.post(page, { workspace: home, intent: 'verify', domain: name });
    const { resolveTxt } = app.services;
    try {
      expect((await verify('own.example')).status).toBe(400);
      app.services.resolveTxt = () => Promise.reject(new Error('no answer'));
      expect((await verify('own.example')).status).toBe(503);
      const [{ token }] = await query('select token from quorate.verified_domains where domain = $1', ['own.example']);
      app.services.resolveTxt = async (name) => (name === 'own.example' ? ['v=spf1 -all', `quorate-verification=${token}`] : []);
      expect((await verify('own.example')).status).toBe(303);
      await admin.post(page, { workspace: home, intent: 'addDomain', domain });
      const [other] = await query('select token from quorate.verified_domains where domain = $1 and workspace_id = $2', [domain, home]);
      app.services.resolveTxt = async () => [`quorate-verification=${other.token}`];
      expect((await verify(domain)).status).toBe(409);
    } finally {
      app.services.resolveTxt = resolveTxt;
    }
  });

  test('enforces nothing without an admin who is exempt, who then stays one, and lets go of no domain meanwhile', async () => {
    const { provider: counting } = await stateOf();
    const me = ((await admin.get('/dashboard/runs')).data as Me).userId;
    const enforce = (exempt: string[]) => admin.post(page, { workspace: home, provider: counting.id, enforced: 'on', exempt });
    expect((await enforce([])).status).toBe(400);
    expect((await enforce([newId()])).status).toBe(400);
    expect((await enforce([me])).status).toBe(303);
    expect((await admin.get('/dashboard/runs')).status).toBe(200);
    expect((await admin.post(page, { workspace: home, intent: 'removeDomain', domain: 'own.example' })).status).toBe(409);
    const other = await app.db.makeUser();
    await app.db.arrange(home, async (client) => {
      await client.query(
        "insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user,admin}', 'Other', $3)",
        [home, other.id, other.email],
      );
    });
    await expect(
      app.db.arrange(home, async (client) => {
        await client.query("update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2", [home, me]);
      }),
    ).rejects.toMatchObject({ code: 'QM001' });
  });
});
