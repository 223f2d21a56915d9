/** The people who may make an account, and who may found a workspace: held by the forms, and by the first look of an account made elsewhere. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Registration } from '#app/contracts/registration.ts';
import { type Browser, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterEach(() => set({ kind: 'open' }));
afterAll(() => app.close());

function set(registration: Registration, founders: 'anyone' | 'admins' | 'nobody' = 'anyone'): void {
  Object.assign(app.services, { registration, founders });
}

let people = 0;
const newEmail = (domain = 'example.com') => `registrant-${++people}@${domain}`;
const signUp = (email: string, next?: string, browser = app.browser()) =>
  browser.post(`/auth?mode=sign-up${next === undefined ? '' : `&next=${encodeURIComponent(next)}`}`, {
    form: 'sign-up',
    email,
    password: PASSWORD,
  });
const meOf = async (browser: Browser) => (await browser.get('/dashboard/runs')).data as { userId: string; workspace: { id: string } };
const accounts = async (email: string) => (await app.db.owner.query('select from auth.users where email = $1', [email])).rowCount;
const workspacesOf = async (email: string) =>
  (await app.db.owner.query('select from quorate.members m join auth.users u on u.id = m.user_id where u.email = $1', [email])).rowCount;

async function invite(boss: Browser, email: string): Promise<string> {
  await boss.post('/dashboard/admin/members/invite', { workspace: (await meOf(boss)).workspace.id, email, roles: ['user'] });
  const { rows } = await app.db.owner.query('select body from quorate.deliveries where target = $1 order by id desc limit 1', [email]);
  return /http\S+(\/invitations\/\S+)/.exec(rows[0]?.body ?? '')?.[1] ?? '';
}

describe('an account', () => {
  test.each(['closed', 'invited'] as const)('is made for nobody where registration is %s, and the page says so', async (kind) => {
    set({ kind });
    const email = newEmail();
    expect(await app.browser().get(`/auth?next=/invitations/${'A'.repeat(43)}`)).toMatchObject({ status: 200, data: { admission: null } });
    expect(await app.browser().get('/auth?mode=sign-up')).toMatchObject({ status: 200, data: { admission: { kind } } });
    for (const next of [undefined, '/invitations/x', `/invitations/${'A'.repeat(43)}`])
      expect(await signUp(email, next)).toMatchObject({ status: 403, action: { refusal: { group: 'closed' } } });
    const call = await app.browser().post('/auth/calls', { call: 'signUp', form: 'sign-up', email, password: PASSWORD });
    expect(call.status).toBe(403);
    expect(await accounts(email)).toBe(0);
  });

  test('is made for addresses of the domains that are named, and for no other', async () => {
    set({ kind: 'domains', domains: ['acme.example', 'acme.test'] });
    const [stranger, colleague] = [newEmail('acme.example.com'), newEmail('acme.test')];
    const refused = await signUp(stranger);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.action)).toContain('emailNotAdmitted');
    expect(JSON.stringify(refused.action)).toContain(stranger);
    expect(await signUp(colleague)).toMatchObject({ status: 303, location: '/auth/confirm?sent=signup' });
    expect([await accounts(stranger), await accounts(colleague)]).toEqual([0, 1]);
  });

  test.each(['invited', 'domains'] as const)(
    'is made by the link of an invitation for its address alone, where registration is %s',
    async (kind) => {
      const boss = await app.newcomer(newEmail(), { name: 'Boss' });
      const email = newEmail();
      const path = await invite(boss, email);
      set(kind === 'invited' ? { kind } : { kind, domains: ['acme.example'] });
      const next = encodeURIComponent(path);
      expect(await app.browser().get(`/auth?mode=sign-up&next=${next}`)).toMatchObject({
        data: { admission: { kind: 'invitation', email } },
      });
      expect(await signUp(newEmail(), path)).toMatchObject({ status: 400 });
      const guest = await app.newcomer(email, { next: path });
      // Until the answer they are in no workspace, and the invitation stands in the way.
      expect((await guest.get('/dashboard')).location).toMatch(/^\/invitations\//);
      await guest.post(path, { answer: 'accept' });
      expect((await meOf(guest)).workspace.id).toBe((await meOf(boss)).workspace.id);
      // Used, it admits nobody any longer.
      expect((await app.browser().get(`/auth?mode=sign-up&next=${next}`)).data).toMatchObject({ admission: { kind } });
    },
  );

  test('is refused by the link of an invitation where registration is closed', async () => {
    const boss = await app.newcomer(newEmail(), { name: 'Boss' });
    const email = newEmail();
    const path = await invite(boss, email);
    set({ kind: 'closed' });
    expect((await signUp(email, path)).status).toBe(403);
    expect(await accounts(email)).toBe(0);
  });

  test('that somebody made behind the forms gets no workspace, and is told what it waits for', async () => {
    const email = newEmail();
    const browser = app.browser();
    await signUp(email, undefined, browser);
    set({ kind: 'invited' });
    await browser.post(app.linkTo(email), { form: 'link' });
    expect(await browser.get('/dashboard')).toMatchObject({ status: 302, location: '/auth/sign-out?no-workspace' });
    expect(await browser.get('/auth/sign-out?no-workspace')).toMatchObject({ status: 200, data: { email, homeless: true } });
    expect(await workspacesOf(email)).toBe(0);
    set({ kind: 'open' });
    const path = await invite(await app.newcomer(newEmail(), { name: 'Boss' }), email);
    set({ kind: 'invited' });
    expect((await browser.get('/dashboard')).location).toMatch(/^\/invitations\//);
    await browser.post(path, { answer: 'accept' });
    expect((await browser.get('/dashboard/runs')).status).toBe(200);
  });

  test('of before is not touched by what is set later', async () => {
    const before = await app.newcomer(newEmail());
    set({ kind: 'closed' }, 'nobody');
    expect((await before.get('/dashboard/runs')).status).toBe(200);
  });
});

describe('a workspace', () => {
  const found = async (browser: Browser) =>
    browser.post('/dashboard/account/workspaces/new', { workspace: (await meOf(browser)).workspace.id, name: 'One more' });

  test('is founded by whoever is admin of another one, where admins found them, and by nobody who is new', async () => {
    const admin = await app.newcomer(newEmail());
    const email = newEmail();
    const path = await invite(admin, email);
    set({ kind: 'open' }, 'admins');
    const plain = await app.newcomer(email, { next: path });
    await plain.post(path, { answer: 'accept' });
    const refused = await found(plain);
    expect(refused.status).toBe(403);
    expect(JSON.stringify(refused.action)).toContain('workspacesClosed');
    expect(await found(admin)).toMatchObject({ status: 303, location: '/dashboard' });
    const alone = newEmail();
    const browser = await app.newcomer(alone);
    expect((await browser.get('/dashboard')).location).toBe('/auth/sign-out?no-workspace');
    expect(await workspacesOf(alone)).toBe(0);
  });

  test('is founded by nobody, where nobody founds them', async () => {
    const admin = await app.newcomer(newEmail());
    set({ kind: 'open' }, 'nobody');
    expect((await found(admin)).status).toBe(403);
  });
});

test('the first of an instance is founded by whoever comes first and may have an account; of four at once, one does', async () => {
  const empty = await startIdentityApp();
  try {
    Object.assign(empty.services, { registration: { kind: 'domains', domains: ['acme.example'] }, founders: 'nobody' });
    await Promise.all(Array.from({ length: 4 }, (_, place) => empty.newcomer(`first-${place}@acme.example`)));
    const { rows } = await empty.db.owner.query('select count(*)::int as founded from quorate.workspaces');
    expect(rows).toEqual([{ founded: 1 }]);
  } finally {
    await empty.close();
  }
});
