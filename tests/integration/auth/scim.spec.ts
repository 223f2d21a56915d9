/** Provisioning by SCIM 2.0: the documented sequences of Entra and Okta, and what a directory may not do. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDirectoryToken } from '#app/engine/directory/directory-token.ts';
import { type Browser, type IdentityApp, startIdentityApp } from '#tests/support/identity-app.ts';

type Body = { [name: string]: unknown };
type Me = { userId: string; roles: string[]; workspace: { id: string; slug: string } };

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

let made = 0;
const address = (name: string) => `${name}-${++made}@corp.example`;
const ACTIVE = (active: unknown) => ({ ...PATCH, Operations: [{ op: 'Replace', path: 'active', value: active }] });
const meOf = async (browser: Browser) => (await browser.get('/dashboard/runs')).data as Me;

/** A workspace with one admin, and a token for its directory. */
async function company() {
  const boss = await app.newcomer(address('boss'), { name: 'Boss' });
  const { workspace, userId } = await meOf(boss);
  return { boss, bossId: userId, workspace, ...(await tokenFor(workspace, userId)) };
}

async function tokenFor(workspace: { id: string; slug: string }, by: string) {
  const { secret, prefix, hash } = createDirectoryToken();
  const id = newId();
  await app.db.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.directory_tokens (id, workspace_id, name, prefix, token_hash, created_by, expires_at)
       values ($1, $2, 'Directory', $3, $4, $5, now() + interval '1 day')`,
      [id, workspace.id, prefix, hash, by],
    );
  });
  return { tokenId: id, scim: scimOf(workspace.slug, secret) };
}

function scimOf(slug: string, secret: string) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await app.call(`/scim/v2/${slug}${path}`, {
      method,
      headers: { Authorization: `Bearer ${secret}`, ...(body !== undefined && { 'Content-Type': 'application/scim+json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (answer.text === '' ? null : JSON.parse(answer.text)) as Body };
  };
}
type Scim = ReturnType<typeof scimOf>;

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const PATCH = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'] };
const addUser = async (scim: Scim, userName: string, more: Body = {}) => {
  const { status, body } = await scim('POST', '/Users', { schemas: [USER], userName, ...more });
  expect(status).toBe(201);
  return String(body.id);
};
const found = async (scim: Scim, filter: string) => {
  const { status, body } = await scim('GET', `/Users?filter=${encodeURIComponent(filter)}`);
  expect(status, filter).toBe(200);
  return ((body.Resources ?? []) as Body[]).map(({ userName }) => userName);
};

describe('Entra', () => {
  test('looks, creates, corrects, disables and deletes a person as it is documented', async () => {
    const { scim } = await company();
    const userName = address('ada');
    const none = await scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${userName}"`)}`);
    expect(none).toMatchObject({ status: 200, body: { totalResults: 0, itemsPerPage: 0 } });
    expect(none.headers.get('Content-Type')).toBe('application/scim+json');
    const created = await scim('POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: '0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef',
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: userName }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
      roles: [],
    });
    expect(created).toMatchObject({ status: 201, body: { userName, active: true, meta: { resourceType: 'User', version: 'W/"1"' } } });
    const id = String(created.body.id);
    expect(created.headers.get('Location')).toMatch(new RegExp(`/scim/v2/[^/]+/Users/${id}$`));
    expect(await found(scim, `userName eq "${userName.toUpperCase()}"`)).toEqual([userName]);
    expect(await found(scim, 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).toEqual([userName]);

    const patched = await scim('PATCH', `/Users/${id}`, {
      ...PATCH,
      Operations: [
        { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.new@corp.example' },
        { op: 'Replace', path: 'emails[type eq "home"].value', value: 'ada@home.example' },
        { op: 'Add', path: 'name.familyName', value: 'King' },
        {
          op: 'Add',
          value: {
            'name.givenName': 'Augusta',
            displayName: 'Augusta King',
            'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department': 'Engines',
          },
        },
        { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: '12 St James’s Square' },
      ],
    });
    expect(patched).toMatchObject({
      status: 200,
      body: {
        displayName: 'Augusta King',
        name: { familyName: 'King', givenName: 'Augusta', formatted: 'Ada Lovelace' },
        emails: [
          { value: 'ada.new@corp.example', type: 'work', primary: true },
          { value: 'ada@home.example', type: 'home', primary: false },
        ],
      },
    });
    const disabled = await scim('PATCH', `/Users/${id}`, { ...PATCH, Operations: [{ op: 'Replace', path: 'active', value: 'False' }] });
    expect(disabled.body).toMatchObject({ active: false });
    expect(await found(scim, `userName eq "${userName}"`)).toEqual([userName]);
    expect(await found(scim, `userName eq "${userName}" and active eq True`)).toEqual([]);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404);
    expect((await scim('PATCH', `/Users/${id}`, { ...PATCH, Operations: [{ op: 'Replace', path: 'active', value: true }] })).status).toBe(
      404,
    );
  });

  test('keeps groups: without their members where it wants none, and members by lists of values', async () => {
    const { scim } = await company();
    const [one, two] = [await addUser(scim, address('one')), await addUser(scim, address('two'))];
    const created = await scim('POST', '/Groups', { displayName: 'Engineers', externalId: 'g-1', members: [] });
    const group = `/Groups/${created.body.id}`;
    const patch = (Operations: unknown[]) => scim('PATCH', group, { ...PATCH, Operations });
    expect((await patch([{ op: 'Add', path: 'members', value: [{ value: one }, { value: two }] }])).body.members).toHaveLength(2);
    const seen = await scim('GET', `${group}?excludedAttributes=members`);
    expect(seen.body).toMatchObject({ displayName: 'Engineers' });
    expect(seen.body).not.toHaveProperty('members');
    const listed = await scim('GET', `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "engineers"')}`);
    expect(listed.body).toMatchObject({ totalResults: 1 });
    expect((await scim('GET', `/Users/${one}`)).body).toMatchObject({ groups: [{ value: created.body.id, display: 'Engineers' }] });
    expect((await patch([{ op: 'Remove', path: 'members', value: [{ value: one }] }])).body.members).toMatchObject([{ value: two }]);
    expect((await patch([{ op: 'Replace', path: 'displayName', value: 'Builders' }])).body).toMatchObject({ displayName: 'Builders' });
    expect((await scim('DELETE', group)).status).toBe(204);
    expect((await scim('GET', group)).status).toBe(404);
  });
});

describe('Okta', () => {
  test('tests the connection, creates, updates with PUT or PATCH, and deactivates', async () => {
    const { scim } = await company();
    expect((await scim('GET', '/Users?startIndex=1&count=2')).body).toMatchObject({ totalResults: 0, startIndex: 1 });
    const userName = address('grace');
    const id = await addUser(scim, userName, {
      name: { givenName: 'Grace', familyName: 'Hopper' },
      emails: [{ primary: true, value: userName, type: 'work' }],
      displayName: 'Grace Hopper',
      locale: 'en-US',
      externalId: '00ujl29u0le5T6Aj10h7',
      groups: [],
      password: '1mz050nq',
      active: true,
    });
    const again = await scim('POST', '/Users', { userName: userName.toUpperCase() });
    expect(again).toMatchObject({ status: 409, body: { scimType: 'uniqueness', status: '409' } });
    const put = await scim('PUT', `/Users/${id}`, {
      ...{ schemas: [USER], id, userName, active: true, displayName: 'Rear Admiral', name: { givenName: 'Grace', familyName: 'Murray' } },
    });
    expect(put.body).toMatchObject({ id, displayName: 'Rear Admiral', name: { familyName: 'Murray' } });
    expect(put.body).not.toHaveProperty('emails');
    expect(put.body).not.toHaveProperty('password');
    const off = await scim('PATCH', `/Users/${id}`, { ...PATCH, Operations: [{ op: 'replace', value: { active: false } }] });
    expect(off.body).toMatchObject({ active: false });
  });

  test('pushes groups: with the id that there is, and members one by one', async () => {
    const { scim } = await company();
    const [one, two] = [await addUser(scim, address('one')), await addUser(scim, address('two'))];
    const { body } = await scim('POST', '/Groups', { displayName: 'Pushed', members: [{ value: one, display: 'One' }, { value: two }] });
    const patch = (Operations: unknown[]) => scim('PATCH', `/Groups/${body.id}`, { ...PATCH, Operations });
    expect((await patch([{ op: 'replace', value: { id: body.id, displayName: 'Renamed' } }])).body).toMatchObject({
      displayName: 'Renamed',
    });
    const left = await patch([{ op: 'remove', path: `members[value eq "${one}"]` }]);
    expect(left.body.members).toMatchObject([{ value: two }]);
    const put = await scim('PUT', `/Groups/${body.id}`, { displayName: 'Renamed', members: [{ value: one }] });
    expect(put.body.members).toMatchObject([{ value: one }]);
  });
});

/** The rows of an admin's workspace, as the owner of the database. */
const rows = async (text: string, values: unknown[]) => (await app.db.owner.query(text, values)).rows;
const rolesOf = async (workspaceId: string, userId: string) =>
  (await rows('select roles from quorate.members where workspace_id = $1 and user_id = $2', [workspaceId, userId]))[0]?.roles;
const eventsOf = (workspaceId: string) =>
  rows('select action, actor_kind, actor_name, payload from quorate.audit_events where workspace_id = $1 order by at, id', [workspaceId]);

/** Somebody of the directory who has joined by signing in and accepting. */
async function joined(scim: Scim, name: string) {
  const email = address(name);
  const id = await addUser(scim, email, { emails: [{ value: email, primary: true }], displayName: name });
  const person = await app.newcomer(email, { name });
  const led = await person.get('/dashboard/runs');
  expect(led.location).toMatch(/^\/invitations\//);
  expect(await person.post(led.location ?? '', { answer: 'accept' })).toMatchObject({ status: 303, location: '/dashboard' });
  return { id, email, person, userId: (await meOf(person)).userId };
}
/** As two admins have agreed to it. */
const mapGroup = (workspaceId: string, name: string, roles: string[]) =>
  app.db.arrange(workspaceId, async (client) => {
    await client.query('insert into quorate.group_roles (workspace_id, group_name, roles) values ($1, $2, $3)', [workspaceId, name, roles]);
  });

describe('a person of the directory', () => {
  test('is led to the invitation at the first sign-in, and founds no workspace of their own', async () => {
    const { scim, workspace, boss } = await company();
    const { userId } = await joined(scim, 'Ada');
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
    const { data } = await boss.get('/dashboard/admin/members');
    expect((data as { members: object[] }).members).toContainEqual(expect.objectContaining({ name: 'Ada', provisioned: true }));
    expect((data as { invitations: object[] }).invitations).toEqual([]);
    const actions = (await eventsOf(workspace.id)).map(({ action, actor_kind }) => `${actor_kind} ${action}`);
    expect(actions).toEqual(expect.arrayContaining(['directory directory.personAdded', 'member invitation.accepted']));
  });

  test('who has an account elsewhere does not join before they have said so', async () => {
    const email = address('stranger');
    const stranger = await app.newcomer(email);
    const { scim, workspace } = await company();
    await addUser(scim, email);
    const me = await meOf(stranger);
    expect(me.workspace.id).not.toBe(workspace.id);
    expect(await rolesOf(workspace.id, me.userId)).toBeUndefined();
  });

  test('of a domain that the workspace has proven joins without being asked, with an account and at the first sign-in', async () => {
    const { scim, workspace } = await company();
    const domain = `proven-${++made}.example`;
    await app.db.arrange(workspace.id, async (client) => {
      await client.query(`insert into quorate.verified_domains (workspace_id, domain, token, verified_at) values ($1, $2, $3, now())`, [
        ...[workspace.id, domain, 'a token of twenty signs and more'],
      ]);
    });
    const early = await app.newcomer(`early@${domain}`);
    const { userId } = await meOf(early);
    await addUser(scim, `early@${domain}`);
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
    await addUser(scim, `late@${domain}`, { displayName: 'Late' });
    await addUser(scim, `late@sub.${domain}`);
    const late = await app.newcomer(`late@${domain}`, { name: 'Late' });
    expect(await meOf(late)).toMatchObject({ roles: ['user'], workspace: { id: workspace.id } });
    expect((await (await app.newcomer(`late@sub.${domain}`)).get('/dashboard/runs')).location).toMatch(/^\/invitations\//);
    expect((await eventsOf(workspace.id)).map(({ action }) => action)).toContain('member.joinedByDirectory');
  });

  test('who is a member already is that person from then on', async () => {
    const { scim, workspace, boss, bossId } = await company();
    const [{ email }] = await rows('select email from quorate.members where user_id = $1', [bossId]);
    await addUser(scim, String(email).toUpperCase());
    const { data } = await boss.get('/dashboard/admin/members');
    expect((data as { members: object[] }).members).toContainEqual(expect.objectContaining({ userId: bossId, provisioned: true }));
    expect(await rolesOf(workspace.id, bossId)).toContain('admin');
  });

  test('loses pages, API keys, an open stream and what was theirs with the answer to active: false, and no key comes back', async () => {
    const { scim, workspace } = await company();
    const { id, person, userId } = await joined(scim, 'Leaver');
    const keyId = newId();
    const made = await person.post('/dashboard/account/api-keys/new', { id: keyId, name: 'CI', scopes: ['runs:read'], days: '30' });
    const secret = (made.action as { created: { secret: string } }).created.secret;
    const key = () => app.call('/api/v1/key', { headers: { Authorization: `Bearer ${secret}` } });
    expect((await key()).status).toBe(200);
    const [{ session_id }] = await rows('select id as session_id from auth.sessions where user_id = $1', [userId]);
    const mark = async () =>
      (await rows('select mark from quorate.list_access_marks($1, $2, $3)', [[userId], [session_id], [workspace.id]]))[0].mark;
    const before = await mark();

    const began = performance.now();
    expect((await scim('PATCH', `/Users/${id}`, ACTIVE(false))).body).toMatchObject({ active: false });
    const page = await person.get('/dashboard/runs');
    expect((page.data as Me | undefined)?.workspace?.id).not.toBe(workspace.id);
    expect((await key()).status).toBe(401);
    // what each open stream looks at once a second, and ends by
    expect(await mark()).not.toBe(before);
    expect(performance.now() - began).toBeLessThan(5_000);
    const [event] = (await eventsOf(workspace.id)).filter(({ action }) => action === 'directory.personChanged');
    expect(event).toMatchObject({
      actor_kind: 'directory',
      payload: { active: false, changed: ['active'], membership: 'ended', user: userId },
    });

    expect((await scim('PATCH', `/Users/${id}`, ACTIVE(true))).body).toMatchObject({ active: true });
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
    expect((await key()).status).toBe(401);
    expect(await rows('select id from quorate.api_keys where id = $1', [keyId])).toEqual([]);
  });

  test('who is removed is not found again, is no member, and does not come back by themselves', async () => {
    const { scim, workspace } = await company();
    const { id, email, userId } = await joined(scim, 'Gone');
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204);
    for (const method of ['GET', 'DELETE']) expect((await scim(method, `/Users/${id}`)).status).toBe(404);
    expect(await found(scim, `userName eq "${email}"`)).toEqual([]);
    expect(await rolesOf(workspace.id, userId)).toBeUndefined();
    expect(await rows('select user_name, email, display_name from quorate.directory_people where id = $1', [id])).toEqual([
      { user_name: id, email: null, display_name: null },
    ]);
    expect(await addUser(scim, email)).not.toBe(id);
  });

  test('who is invited and goes before they came finds no invitation any more', async () => {
    const { scim } = await company();
    const email = address('never');
    const id = await addUser(scim, email);
    await scim('DELETE', `/Users/${id}`);
    const person = await app.newcomer(email);
    expect((await meOf(person)).roles).toContain('admin');
  });

  test('is never the last admin that a directory takes out', async () => {
    const { scim, workspace, boss, bossId } = await company();
    const [{ email }] = await rows('select email from quorate.members where user_id = $1', [bossId]);
    const id = await addUser(scim, email);
    expect(await scim('PATCH', `/Users/${id}`, ACTIVE(false))).toMatchObject({ status: 409, body: { scimType: 'mutability' } });
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(409);
    expect((await scim('GET', `/Users/${id}`)).body).toMatchObject({ active: true });
    expect(await rolesOf(workspace.id, bossId)).toContain('admin');
    const { data } = await boss.get('/dashboard/admin/provisioning');
    expect((data as { refusals: object[] }).refusals).toContainEqual(
      expect.objectContaining({
        method: 'PATCH',
        status: 409,
        path: `/Users/${id}`,
        detail: expect.stringContaining('last administrator'),
      }),
    );
  });

  test('may make an account where those alone do whom somebody expects, and nobody is told who that is', async () => {
    const { scim } = await company();
    const [expected, other] = [address('expected'), address('other')];
    await addUser(scim, expected);
    app.services.registration = { kind: 'invited' };
    try {
      const answers = [];
      for (const email of [expected, other])
        answers.push(
          await app.browser().post('/auth?mode=sign-up', { form: 'sign-up', email, password: 'correct horse battery', name: 'X' }),
        );
      expect(answers.map(({ status, location }) => `${status} ${location}`)).toEqual(Array(2).fill(expect.stringMatching(/^303 /)));
      expect(new Set(answers.map(({ location }) => location?.replace(/=.*/, ''))).size).toBe(1);
      expect(app.mails.filter(({ to }) => to === expected)).toHaveLength(1);
      expect(app.mails.filter(({ to }) => to === other)).toHaveLength(0);
    } finally {
      app.services.registration = { kind: 'open' };
    }
  });
});

describe('groups', () => {
  test('give and take the roles of their members at once, and nobody else does', async () => {
    const { scim, workspace, boss } = await company();
    const { id, userId } = await joined(scim, 'Builder');
    await mapGroup(workspace.id, 'Engineers', ['user', 'builder']);
    const { body } = await scim('POST', '/Groups', { displayName: 'Engineers', members: [{ value: id }] });
    expect(await rolesOf(workspace.id, userId)).toEqual(['user', 'builder']);
    const refused = await boss.post(`/dashboard/admin/members/${userId}`, { workspace: workspace.id, roles: ['user'] });
    expect(JSON.stringify(refused.action)).toContain('directoryDecides');
    const event = (await eventsOf(workspace.id)).findLast(({ action }) => action === 'directory.groupAdded');
    expect(event.payload).toMatchObject({
      added: 1,
      memberships: [{ person: id, user: userId, before: ['user'], after: ['user', 'builder'] }],
    });
    await scim('PATCH', `/Groups/${body.id}`, { ...PATCH, Operations: [{ op: 'remove', path: `members[value eq "${id}"]` }] });
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
    await scim('PUT', `/Groups/${body.id}`, { displayName: 'Engineers', members: [{ value: id }] });
    await scim('PATCH', `/Groups/${body.id}`, { ...PATCH, Operations: [{ op: 'replace', path: 'displayName', value: 'Others' }] });
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
    await scim('PATCH', `/Groups/${body.id}`, { ...PATCH, Operations: [{ op: 'replace', path: 'displayName', value: 'Engineers' }] });
    expect(await rolesOf(workspace.id, userId)).toEqual(['user', 'builder']);
    await scim('DELETE', `/Groups/${body.id}`);
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
  });

  test('of which another mapping is agreed give the roles of that at once; who is deactivated and comes back has them again', async () => {
    const { scim, workspace } = await company();
    const { id, userId } = await joined(scim, 'Late');
    await scim('POST', '/Groups', { displayName: 'Ops', members: [{ value: id }] });
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);
    await mapGroup(workspace.id, 'Ops', ['builder']);
    expect(await rolesOf(workspace.id, userId)).toEqual(['user', 'builder']);
    await scim('PATCH', `/Users/${id}`, ACTIVE('False'));
    await scim('PATCH', `/Users/${id}`, ACTIVE('True'));
    expect(await rolesOf(workspace.id, userId)).toEqual(['user', 'builder']);
  });

  test('move roles of control once another admin has confirmed the token, and not before', async () => {
    const { scim, workspace, boss, bossId, tokenId } = await company();
    await addSecondAdmin(workspace.id);
    // the mapping is the change of control: one admin alone makes none
    const [{ session }] = await rows('select id as session from auth.sessions where user_id = $1', [second.userId]);
    const alone = app.db.database.asMember({ userId: second.userId, sessionId: session, workspaceId: workspace.id }, (tx) =>
      tx
        .insertInto('quorate.group_roles')
        .values({ workspace_id: workspace.id, group_name: 'Mine', roles: ['approver'] })
        .execute(),
    );
    await expect(alone).rejects.toMatchObject({ code: 'forbidden' });
    const { id, userId } = await joined(scim, 'Approver');
    await mapGroup(workspace.id, 'Approvers', ['approver']);
    const members = [{ value: id }];
    const refused = await scim('POST', '/Groups', { displayName: 'Approvers', members });
    expect(refused).toMatchObject({ status: 403, body: { detail: expect.stringContaining('confirm') } });
    // nor by the way round, over a name that gives nothing yet
    const { body } = await scim('POST', '/Groups', { displayName: 'Harmless', members });
    const rename = { ...PATCH, Operations: [{ op: 'replace', path: 'displayName', value: 'Approvers' }] };
    expect((await scim('PATCH', `/Groups/${body.id}`, rename)).status).toBe(403);
    expect(await rolesOf(workspace.id, userId)).toEqual(['user']);

    // its maker cannot confirm it, somebody else can
    expect((await boss.post('/dashboard/admin/provisioning', { workspace: workspace.id, confirm: tokenId })).status).toBe(409);
    expect(await second.browser.post('/dashboard/admin/provisioning', { workspace: workspace.id, confirm: tokenId })).toMatchObject({
      status: 303,
    });
    expect((await scim('PATCH', `/Groups/${body.id}`, rename)).status).toBe(200);
    expect(await rolesOf(workspace.id, userId)).toEqual(['user', 'approver']);
    await app.db.arrange(workspace.id, async (client) => {
      await client.query(`update quorate.members set roles = '{user}' where user_id = $1 and workspace_id = $2`, [
        second.userId,
        workspace.id,
      ]);
    });
    // the last admin keeps the role through any group
    await mapGroup(workspace.id, 'Admins', ['admin']);
    const last = await addUser(scim, String((await rows('select email from quorate.members where user_id = $1', [bossId]))[0].email));
    expect(await rolesOf(workspace.id, bossId)).toEqual(['user', 'builder', 'admin']);
    const event = (await eventsOf(workspace.id)).findLast(({ action }) => action === 'directory.personAdded');
    expect(event.payload).toMatchObject({ adminKept: true });
    expect(last).toBeTruthy();
  });

  test('and a person with roles of control are not ended by a token that one admin alone has made', async () => {
    const { scim, workspace, tokenId } = await company();
    await addSecondAdmin(workspace.id);
    const id = await addUser(scim, second.email);
    expect((await scim('PATCH', `/Users/${id}`, ACTIVE(false))).status).toBe(403);
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(403);
    expect(await rolesOf(workspace.id, second.userId)).toContain('admin');
    await second.browser.post('/dashboard/admin/provisioning', { workspace: workspace.id, confirm: tokenId });
    expect((await scim('PATCH', `/Users/${id}`, ACTIVE(false))).status).toBe(200);
    expect(await rolesOf(workspace.id, second.userId)).toBeUndefined();
  });

  test('take nobody who is not of this directory, and no group', async () => {
    const { scim } = await company();
    const { scim: other } = await company();
    const stranger = await addUser(other, address('stranger'));
    for (const value of [stranger, newId(), 'x', '__proto__'])
      expect(await scim('POST', '/Groups', { displayName: 'G', members: [{ value }] })).toMatchObject({
        status: 400,
        body: { scimType: 'invalidValue' },
      });
    expect((await scim('POST', '/Groups', { displayName: 'G', members: [{ value: newId(), type: 'Group' }] })).status).toBe(400);
    expect((await scim('GET', '/Groups')).body).toMatchObject({ totalResults: 0 });
  });
});

let second: { browser: Browser; userId: string; email: string };
/** As invited and accepted, which is somewhere else's test. */
async function addSecondAdmin(workspaceId: string): Promise<void> {
  const email = address('second');
  const browser = await app.newcomer(email, { name: 'Second' });
  const { userId } = await meOf(browser);
  await app.db.arrange(workspaceId, async (client) => {
    await client.query(
      `insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user,admin}', 'Second', $3)`,
      [workspaceId, userId, email],
    );
  });
  await browser.post('/dashboard/account/workspace', { workspaceId });
  second = { browser, userId, email };
}

describe('a token', () => {
  test('is made on a page that shows it once, replaced with an overlap, and over when it is revoked', async () => {
    const boss = await app.newcomer(address('boss'));
    const { workspace } = await meOf(boss);
    const make = async (more: Record<string, string> = {}) => {
      const answer = await boss.post('/dashboard/admin/provisioning/new', {
        workspace: workspace.id,
        id: newId(),
        name: 'Entra',
        days: '365',
        ...more,
      });
      return (answer.action as { made: { secret: string } | null }).made?.secret ?? '';
    };
    const secret = await make();
    const page = async () =>
      (await boss.get('/dashboard/admin/provisioning')).data as { tokens: { id: string; expiresAt: string; usedAt: string | null }[] };
    expect(JSON.stringify(await page())).not.toContain(secret);
    expect(
      JSON.stringify(await rows('select t::text from quorate.directory_tokens t where workspace_id = $1', [workspace.id])),
    ).not.toContain(secret);
    expect((await scimOf(workspace.slug, secret)('GET', '/Users')).status).toBe(200);
    const old = (await page()).tokens[0];
    expect(old?.usedAt).not.toBeNull();
    const next = await make({ replaces: old?.id ?? '' });
    for (const one of [secret, next]) expect((await scimOf(workspace.slug, one)('GET', '/ServiceProviderConfig')).status).toBe(200);
    const left = (await page()).tokens.find(({ id }) => id === old?.id);
    expect(Date.parse(left?.expiresAt ?? '') - Date.now()).toBeLessThanOrEqual(2 * 86_400_000);
    expect(await boss.post(`/dashboard/admin/provisioning/${old?.id}/revoke`, { workspace: workspace.id })).toMatchObject({ status: 303 });
    expect((await scimOf(workspace.slug, secret)('GET', '/Users')).status).toBe(401);
    expect((await scimOf(workspace.slug, next)('GET', '/Users')).status).toBe(200);
    const actions = (await eventsOf(workspace.id)).map(({ action }) => action);
    expect(actions.filter((action) => action.startsWith('directory.'))).toEqual([
      'directory.tokenMade',
      'directory.tokenMade',
      'directory.tokenRevoked',
    ]);
  });

  test('of one workspace reaches nothing of another, and nothing is one', async () => {
    const [here, there] = [await company(), await company()];
    const person = await addUser(there.scim, address('theirs'));
    const group = String((await there.scim('POST', '/Groups', { displayName: 'Theirs', members: [{ value: person }] })).body.id);
    const before = await rows('select p::text from quorate.directory_people p where workspace_id = $1', [there.workspace.id]);
    for (const path of [`/Users/${person}`, `/Groups/${group}`]) {
      expect((await here.scim('GET', path)).status).toBe(404);
      expect((await here.scim('PUT', path, { userName: 'taken', displayName: 'taken' })).status).toBe(404);
      expect(
        (await here.scim('PATCH', path, { ...PATCH, Operations: [{ op: 'replace', path: 'displayName', value: 'taken' }] })).status,
      ).toBe(404);
      expect((await here.scim('DELETE', path)).status).toBe(404);
    }
    for (const filter of [`id eq "${person}"`, 'userName pr', `groups.value eq "${group}"`])
      expect(await found(here.scim, filter)).toEqual([]);
    expect(await rows('select p::text from quorate.directory_people p where workspace_id = $1', [there.workspace.id])).toEqual(before);
    const { secret } = createDirectoryToken();
    for (const wrong of [secret, 'qd_x', 'qk_'.padEnd(46, 'a')])
      expect((await scimOf(here.workspace.slug, wrong)('GET', '/Users')).status).toBe(401);
    expect((await app.call(`/scim/v2/${there.workspace.slug}/Users`, {})).status).toBe(401);
    expect((await here.boss.get(`/scim/v2/${here.workspace.slug}/Users`)).status).toBe(401);
    // its own token at another's address
    const own = await tokenFor(here.workspace, here.bossId);
    expect((await own.scim('GET', '/Users')).status).toBe(200);
    const strayed = await app.call(`/scim/v2/${there.workspace.slug}/Users`, {
      headers: { Authorization: `Bearer ${await bearerOf(here)}` },
    });
    expect(strayed.status).toBe(404);
  });
});

async function bearerOf({ workspace, bossId }: { workspace: { id: string; slug: string }; bossId: string }): Promise<string> {
  const { secret, prefix, hash } = createDirectoryToken();
  await app.db.arrange(workspace.id, async (client) => {
    await client.query(
      `insert into quorate.directory_tokens (id, workspace_id, name, prefix, token_hash, created_by, expires_at)
       values ($1, $2, 'Directory', $3, $4, $5, now() + interval '1 day')`,
      [newId(), workspace.id, prefix, hash, bossId],
    );
  });
  return secret;
}
