/** The data API serves one table, each row to its owner; and so it stays after the auth service has started again. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuthBackend } from '#app/platform/embedded/auth-backend.server.ts';
import { type PopulatedWorkspace, populateWorkspace } from '#tests/integration/support/populated-workspace.ts';
import { newRow } from '#tests/integration/support/workspace-rows.ts';
import { createTestDatabase, signAccessToken, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let db: TestDatabase;
let here: PopulatedWorkspace;
let auth: AuthBackend;
beforeAll(async () => {
  db = await createTestDatabase();
  here = await populateWorkspace(db);
  // it grants everything to everyone at each start: what holds must hold after the second one
  const first = await db.startAuth();
  await first.close();
  auth = await db.startAuth();
});
afterAll(() => db.close());

type Ask = { method?: string; body?: unknown; as?: TestMember | null; headers?: Record<string, string> };
async function ask(path: string, { method = 'GET', body, as = null, headers = {} }: Ask): Promise<{ status: number; body: unknown }> {
  const token = as && auth.jwtSecret ? signAccessToken(auth.jwtSecret, { userId: as.id, sessionId: as.sessionId, email: as.email }) : null;
  const response = await auth.fetch(`${auth.url}/rest/v1/${path}`, {
    method,
    headers: {
      apikey: auth.anonKey,
      'content-type': 'application/json',
      Prefer: 'return=representation',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

const roleOf = async (id: string) => (await db.owner.query('select role from public.profiles where id = $1', [id])).rows[0]?.role;

describe.each(Object.keys(newRow))('quorate.%s', (table) => {
  test('is out of reach for a signed-in person and for anyone', async () => {
    for (const as of [here.members.admin, null])
      for (const headers of [{}, { 'Accept-Profile': 'quorate', 'Content-Profile': 'quorate' }] as Record<string, string>[]) {
        expect([401, 403, 404, 406]).toContain((await ask(`${table}?select=*`, { as, headers })).status);
        expect([401, 403, 404, 406]).toContain((await ask(table, { method: 'POST', body: {}, as, headers })).status);
      }
  });
});

test('no verb, function, join or count of it reaches beyond one’s own profile', async () => {
  const as = here.members.admin;
  const refused = [401, 403, 404, 405, 406];
  for (const table of Object.keys(newRow))
    for (const headers of [{}, { 'Accept-Profile': 'quorate', 'Content-Profile': 'quorate' }] as Record<string, string>[]) {
      expect(refused).toContain((await ask(`${table}?id=not.is.null`, { method: 'PATCH', body: { name: 'x' }, as, headers })).status);
      expect(refused).toContain((await ask(`${table}?id=not.is.null`, { method: 'DELETE', as, headers })).status);
      const merge = { ...headers, Prefer: 'resolution=merge-duplicates' };
      expect(refused).toContain((await ask(`${table}?on_conflict=id`, { method: 'POST', body: { id: as.id }, as, headers: merge })).status);
    }
  const { rows } = await db.owner.query<{ name: string }>(
    `select distinct p.proname as name from pg_proc p where p.pronamespace = 'quorate'::regnamespace and p.prosecdef`,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { name } of rows)
    for (const headers of [{}, { 'Content-Profile': 'quorate' }] as Record<string, string>[])
      expect(refused, name).toContain((await ask(`rpc/${name}`, { method: 'POST', body: {}, as, headers })).status);
  for (const query of [
    'select=*,members(*)',
    'select=*,quorate.members(*)',
    `or=(id.eq.${here.members.user.id},role.eq.admin)`,
    'limit=100000',
  ]) {
    const { status, body } = await ask(`profiles?${query}`, { as, headers: { Prefer: 'count=exact' } });
    if (status < 300) for (const row of body as { id: string }[]) expect(row.id).toBe(as.id);
    else expect(status).toBeLessThan(500);
  }
});

test('the roles of the data API hold no right on anything in quorate', async () => {
  const held = await db.owner.query(`
    select c.oid::regclass::text as name, r.rolname as role from pg_class c, pg_roles r
    where c.relnamespace = 'quorate'::regnamespace and r.rolname in ('anon', 'authenticated', 'service_role')
      and case when c.relkind in ('r', 'v', 'm', 'p') then has_table_privilege(r.oid, c.oid, 'select, insert, update, delete, truncate, references, trigger') when c.relkind = 'S' then has_sequence_privilege(r.oid, c.oid, 'usage, select, update') end`);
  expect(held.rows).toEqual([]);
  const usage = await db.owner.query(
    `select rolname from pg_roles where rolname in ('anon', 'authenticated', 'service_role') and has_schema_privilege(oid, 'quorate', 'usage')`,
  );
  expect(usage.rows).toEqual([]);
});

describe('a profile', () => {
  test('is seen by its owner alone', async () => {
    const { user, admin } = here.members;
    expect((await ask('profiles?select=id', { as: user })).body).toEqual([{ id: user.id }]);
    expect((await ask(`profiles?select=id&id=eq.${admin.id}`, { as: user })).body).toEqual([]);
    expect((await ask('profiles?select=id', {})).body).toEqual([]);
  });

  test('lets its owner change the name, and nobody else', async () => {
    const { user, admin } = here.members;
    expect((await ask(`profiles?id=eq.${user.id}`, { method: 'PATCH', body: { display_name: 'New name' }, as: user })).status).toBe(200);
    expect((await ask(`profiles?id=eq.${admin.id}`, { method: 'PATCH', body: { display_name: 'Taken' }, as: user })).body).toEqual([]);
    const names = await db.owner.query('select display_name from public.profiles where id = any($1) order by display_name', [
      [user.id, admin.id],
    ]);
    expect(names.rows.map((row) => row.display_name)).toEqual(['New name', 'Test Person']);
  });

  test('takes an upsert of one’s own row without a role', async () => {
    const { user } = here.members;
    const answer = await ask('profiles', {
      method: 'POST',
      body: { id: user.id, display_name: 'Again' },
      as: user,
      headers: { Prefer: 'resolution=merge-duplicates,return=representation' },
    });
    expect(answer.status).toBeLessThan(300);
    expect(await roleOf(user.id)).toBe('user');
  });

  test('never takes a role from its owner: not by update, upsert or insert', async () => {
    const { user } = here.members;
    const upsert = { Prefer: 'resolution=merge-duplicates,return=representation' };
    expect((await ask(`profiles?id=eq.${user.id}`, { method: 'PATCH', body: { role: 'admin' }, as: user })).status).toBe(403);
    expect((await ask('profiles', { method: 'POST', body: { id: user.id, role: 'admin' }, as: user, headers: upsert })).status).toBe(403);
    await db.owner.query('delete from public.profiles where id = $1', [here.newcomer.id]);
    const newcomer: TestMember = { ...here.newcomer, sessionId: await db.makeSession(here.newcomer.id), roles: [] };
    expect((await ask('profiles', { method: 'POST', body: { id: newcomer.id, role: 'admin' }, as: newcomer })).status).toBe(403);
    expect((await ask('profiles', { method: 'POST', body: { id: newcomer.id }, as: newcomer })).status).toBe(201);
    expect([await roleOf(user.id), await roleOf(newcomer.id)]).toEqual(['user', 'user']);
  });

  test('cannot be made for someone else, nor deleted', async () => {
    const { user, admin } = here.members;
    expect((await ask('profiles', { method: 'POST', body: { id: here.subject.artifactId }, as: user })).status).toBe(403);
    await ask(`profiles?id=eq.${user.id}`, { method: 'DELETE', as: user });
    await ask(`profiles?id=eq.${admin.id}`, { method: 'DELETE', as: user });
    expect([await roleOf(user.id), await roleOf(admin.id)]).toEqual(['user', 'user']);
  });

  test('keeps the role that the server has set', async () => {
    const { auditor } = here.members;
    await db.owner.query(`update public.profiles set role = 'admin' where id = $1`, [auditor.id]);
    const upsert = { Prefer: 'resolution=merge-duplicates,return=representation' };
    expect(
      (await ask('profiles', { method: 'POST', body: { id: auditor.id, display_name: 'Still' }, as: auditor, headers: upsert })).status,
    ).toBeLessThan(300);
    expect(await roleOf(auditor.id)).toBe('admin');
  });
});

test('a token of a revoked session, an expired one and a forged one see nothing', async () => {
  const { user } = here.members;
  const revoked = { ...user, sessionId: await db.makeSession(user.id) };
  await db.owner.query('delete from auth.sessions where id = $1', [revoked.sessionId]);
  const answer = await ask('profiles?select=id', { as: revoked });
  expect(answer).toEqual({ status: 200, body: [] });
  const change = await ask(`profiles?id=eq.${user.id}`, { method: 'PATCH', body: { display_name: 'Late' }, as: revoked });
  expect(change.body).toEqual([]);
  const forged = signAccessToken('another secret, not the instance’s', { userId: user.id, sessionId: user.sessionId, email: user.email });
  const expired = auth.jwtSecret
    ? signAccessToken(auth.jwtSecret, { userId: user.id, sessionId: user.sessionId, email: user.email }, -60)
    : '';
  for (const token of [forged, expired])
    expect((await ask('profiles?select=id', { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
});

test.each([
  ['30 days after it began', `update auth.sessions set created_at = now() - interval '31 days' where id = $1`],
  [
    '7 days after it was last used',
    `insert into quorate.user_sessions (session_id, user_id, last_seen_at) select id, user_id, now() - interval '8 days' from auth.sessions where id = $1`,
  ],
  [
    'opened by recovery, without a new password yet',
    `insert into quorate.user_sessions (session_id, user_id, recovering) select id, user_id, true from auth.sessions where id = $1`,
  ],
])('a session is nobody’s here too: %s', async (_, change) => {
  const { user } = here.members;
  const as = { ...user, sessionId: await db.makeSession(user.id) };
  expect(await ask('profiles?select=id', { as })).toEqual({ status: 200, body: [{ id: user.id }] });
  await db.owner.query(change, [as.sessionId]);
  expect(await ask('profiles?select=id', { as })).toEqual({ status: 200, body: [] });
});

test('doors of the auth service that are not ours stay shut', async () => {
  for (const path of [
    '/auth/v1/magiclink',
    '/auth/v1/authorize',
    '/auth/v1/callback',
    '/_system',
    '/',
    '/storage/v1/bucket',
    '/rest/v1/',
    '/rest/v1/rpc/guard_profile_role',
    '/auth/v1/admin/users',
  ])
    expect((await auth.fetch(`${auth.url}${path}`, { headers: { apikey: auth.anonKey } })).status).toBe(404);
});

test('the door to mails that sign in makes no account, whatever a client asks', async () => {
  for (const create_user of [true, undefined, 'yes']) {
    const body = JSON.stringify({ email: 'made-by-a-mail@example.com', create_user, options: { shouldCreateUser: true } });
    const answer = await auth.fetch(`${auth.url}/auth/v1/otp`, { method: 'POST', headers: { apikey: auth.anonKey }, body });
    expect(answer.status).toBe(422);
  }
  expect((await db.owner.query("select from auth.users where email = 'made-by-a-mail@example.com'")).rows).toEqual([]);
});
