/** What a workspace asks of sessions: how old, how idle, with which factor, from where; and who may loosen it. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SessionRules } from '#app/domain/people/session-rules.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { noteSession } from '#app/engine/commands/sessions/note-session.ts';
import type { FactorAnswer } from '#app/features/auth/factor/change-factor-action.server.ts';
import type { PasskeyAnswer } from '#app/features/auth/passkey/change-passkeys-action.server.ts';
import { Authenticator } from '#tests/integration/support/passkeys/authenticator.ts';
import { totpCode, totpStep } from '#tests/mocks/totp.ts';
import { TEST_ORIGIN } from '#tests/support/database-setup.ts';
import { type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

type Me = { userId: string; sessionId: string; email: string; workspace: { id: string } };
const NO_RULES: SessionRules = { hours: null, idleMinutes: null, factor: false, networks: [] };

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

const query = async (text: string, values: unknown[] = []) => (await app.db.owner.query(text, values)).rows;
let people = 0;
async function newcomer() {
  const email = `rules-${++people}@example.com`;
  const browser = await app.newcomer(email, { name: 'Ada' });
  const me = (await browser.get('/dashboard/runs')).data as Me;
  return { email, browser, me, workspace: me.workspace.id };
}
const ask = (workspace: string, rules: Partial<SessionRules>) =>
  app.db.arrange(workspace, async (client) => {
    await client.query('update quorate.workspaces set session_rules = $2 where id = $1', [
      workspace,
      JSON.stringify({ ...NO_RULES, ...rules }),
    ]);
  });
const age = ({ me }: { me: Me }, hours: number) =>
  query('update auth.sessions set created_at = now() - make_interval(hours => $2) where id = $1', [me.sessionId, hours]);
const idle = ({ me }: { me: Me }, minutes: number) =>
  query('update quorate.user_sessions set last_seen_at = now() - make_interval(mins => $2) where session_id = $1', [me.sessionId, minutes]);
const AGAIN = '/auth?again=1&next=%2Fdashboard%2Fruns';

describe('a session that is too old', () => {
  test('is led to sign in again and back, for pages, forms and streams, and nowhere else', async () => {
    const ada = await newcomer();
    await ask(ada.workspace, { hours: 8 });
    await age(ada, 7);
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
    await age(ada, 9);
    expect(await ada.browser.get('/dashboard/runs')).toMatchObject({ status: 302, location: AGAIN });
    const posted = await ada.browser.post('/dashboard/account/profile', { name: 'Kept' });
    expect(posted.status).toBe(401);
    expect(JSON.stringify(posted.error)).toContain('Kept');
    const stream = await ada.browser.get('/dashboard/runs', { Accept: 'text/event-stream' });
    expect(stream.location).toBeNull();
    await expect(
      app.services.access.asMember({ userId: ada.me.userId, sessionId: ada.me.sessionId, workspaceId: ada.workspace }, async () => 1),
    ).rejects.toMatchObject({ code: 'forbidden' });
    // The page of sign-in is shown to who is signed in, and a new session leads back.
    expect((await ada.browser.get(AGAIN)).data).toMatchObject({ again: true, next: '/dashboard/runs' });
    const again = await ada.browser.post(AGAIN, { form: 'sign-in', email: ada.email, password: PASSWORD });
    expect(again).toMatchObject({ status: 303, location: '/dashboard/runs' });
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
  });

  test('one that was idle stays so, whatever else was opened since', async () => {
    const ada = await newcomer();
    const bob = await newcomer();
    await app.db.arrange(bob.workspace, async (client) => {
      await client.query("insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{user}', 'Ada', $3)", [
        bob.workspace,
        ada.me.userId,
        ada.email,
      ]);
    });
    await ask(ada.workspace, { idleMinutes: 30 });
    await idle(ada, 29);
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
    await idle(ada, 31);
    expect((await ada.browser.get('/dashboard/runs')).location).toBe(AGAIN);
    await performAsNobody(noteSession, app.services, {
      user: ada.me.userId,
      session: ada.me.sessionId,
      browser: '',
      workspace: bob.workspace,
    });
    expect((await ada.browser.get('/dashboard/runs')).location).toBe(AGAIN);
    ada.browser.cookies.set('workspace', bob.workspace);
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
  });
});

describe('a workspace that asks for a factor', () => {
  test('leads who has none to set one up, without scripts, and back; the last one stays', async () => {
    const ada = await newcomer();
    await ask(ada.workspace, { factor: true });
    const led = await ada.browser.get('/dashboard/runs');
    expect(led).toMatchObject({ status: 302, location: '/auth/factor/setup?next=%2Fdashboard%2Fruns' });
    const page = led.location ?? '';
    expect((await ada.browser.get(page)).data).toMatchObject({ next: '/dashboard/runs', passkeys: true });
    const begun = (await ada.browser.post(page, { form: 'start', currentPassword: PASSWORD })).action as { app: FactorAnswer };
    const { state = '', secret = '' } = begun.app.setup ?? {};
    const code = totpCode(secret, totpStep(app.services.now()));
    const done = (await ada.browser.post(page, { form: 'verify', state, code })).action as { app: FactorAnswer };
    expect(done.app.codes).toHaveLength(10);
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
    const kept = await ada.browser.post('/dashboard/account/security/factor', { form: 'remove', currentPassword: PASSWORD });
    expect(kept.status).toBe(400);
    expect(await query('select from quorate.authenticators where user_id = $1', [ada.me.userId])).toHaveLength(1);
    await ask(ada.workspace, {});
    expect(await ada.browser.post('/dashboard/account/security/factor', { form: 'remove', currentPassword: PASSWORD })).toMatchObject({
      status: 303,
    });
  });

  test('takes a passkey, and what its own provider says', async () => {
    const ada = await newcomer();
    await ask(ada.workspace, { factor: true });
    const page = '/auth/factor/setup?next=%2Fdashboard%2Fruns';
    const { passkey: begun } = (await ada.browser.post(page, { form: 'add', name: 'Laptop', password: PASSWORD })).action as {
      passkey: PasskeyAnswer;
    };
    const authenticator = new Authenticator(TEST_ORIGIN);
    const setup = begun.setup as unknown as { state: string; options: { challenge: string } };
    const passkey = JSON.stringify({ state: setup.state, answer: authenticator.make(setup.options) });
    expect((await ada.browser.post(page, { form: 'register', name: 'Laptop', passkey })).status).toBe(200);
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);

    const bob = await newcomer();
    await ask(bob.workspace, { factor: true });
    const vouched = (amr: string) =>
      query(
        `insert into quorate.company_sessions (session_id, workspace_id, user_id, issuer, client_id, subject, amr)
         values ($1, $2, $3, 'https://id.example', 'q', 's', $4) on conflict (session_id) do update set amr = excluded.amr`,
        [bob.me.sessionId, bob.workspace, bob.me.userId, `{${amr}}`],
      );
    await vouched('pwd');
    expect((await bob.browser.get('/dashboard/runs')).location).toMatch(/^\/auth\/factor\/setup/);
    await vouched('pwd,otp');
    expect((await bob.browser.get('/dashboard/runs')).status).toBe(200);
  });
});

describe('a workspace that is used from its networks', () => {
  test('opens from there alone, and to accounts for emergencies from everywhere', async () => {
    const ada = await newcomer();
    await ask(ada.workspace, { networks: ['10.20.0.0/16', '2001:db8::/32'] });
    const led = await ada.browser.get('/dashboard/runs');
    expect(led).toMatchObject({ status: 302, location: `/auth/elsewhere?workspace=${ada.workspace}` });
    expect((await ada.browser.get(led.location ?? '')).data).toMatchObject({ others: [] });
    for (const [address, status] of [
      ['10.20.3.4', 200],
      ['::ffff:10.20.3.4', 200],
      ['2001:db8::7', 200],
      ['10.21.0.1', 302],
      ['no address', 302],
    ] as const) {
      const there = app.browser(address);
      for (const [name, value] of ada.browser.cookies) there.cookies.set(name, value);
      expect([address, (await there.get('/dashboard/runs')).status]).toEqual([address, status]);
    }
    await app.db.arrange(ada.workspace, async (client) => {
      await client.query(
        "update quorate.workspaces set sign_in = jsonb_set(sign_in, '{exempt}', jsonb_build_array($2::text)) where id = $1",
        [ada.workspace, ada.me.userId],
      );
    });
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
  });

  test('is not set by who would lock themself out', async () => {
    const ada = await newcomer();
    const page = '/dashboard/admin/sign-in';
    const refused = await ada.browser.post(page, { intent: 'sessions', networks: '10.20.0.0/16' });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.action)).toContain('networksWithoutYou');
    expect((await ada.browser.post(page, { intent: 'sessions', networks: 'no network' })).status).toBe(400);
    expect((await ada.browser.post(page, { intent: 'sessions', hours: '0' })).status).toBe(400);
    expect(await ada.browser.post(page, { intent: 'sessions', networks: '198.51.100.0/24\n10.20.0.0/16', hours: '12' })).toMatchObject({
      status: 303,
    });
    expect(await query('select session_rules from quorate.workspaces where id = $1', [ada.workspace])).toEqual([
      { session_rules: { hours: 12, idleMinutes: null, factor: false, networks: ['198.51.100.0/24', '10.20.0.0/16'] } },
    ]);
    expect((await ada.browser.get('/dashboard/runs')).status).toBe(200);
  });
});

test('a client of a person is bound to the networks, and an API key is not', async () => {
  const ada = await newcomer();
  await ask(ada.workspace, { networks: ['10.20.0.0/16'] });
  const made = async (name: string, grant: string | null) => {
    await app.db.arrange(ada.workspace, async (client) => {
      await client.query(
        `insert into quorate.api_keys (id, workspace_id, user_id, name, prefix, key_hash, scopes, grant_id, client_id, resource)
         values (gen_random_uuid(), $1, $2, $3::text, 'p', sha256(convert_to($3::text, 'UTF8')), '{runs:read}', $4, $5, $6)`,
        [ada.workspace, ada.me.userId, name, grant, grant === null ? null : 'client', grant === null ? null : TEST_ORIGIN],
      );
    });
    return createHash('sha256').update(name).digest();
  };
  const call = { paceCeiling: 100, serves: false };
  const key = await app.services.access.openKey(await made(`key ${ada.email}`, null), call);
  expect(key.networks).toEqual([]);
  const client = await app.services.access.openKey(await made(`client ${ada.email}`, `grant of ${ada.email}`), call);
  expect(client.networks).toEqual(['10.20.0.0/16']);
});

describe('rules are loosened by two, and tightened by one', () => {
  test('the second of whom confirms with a passkey, as the log says', async () => {
    const ada = await newcomer();
    const bob = await newcomer();
    await app.db.arrange(ada.workspace, async (client) => {
      await client.query("insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, '{admin}', 'Bob', $3)", [
        ada.workspace,
        bob.me.userId,
        bob.email,
      ]);
    });
    bob.browser.cookies.set('workspace', ada.workspace);
    const page = '/dashboard/admin/sign-in';
    const rules = async () => (await query('select session_rules as r from quorate.workspaces where id = $1', [ada.workspace]))[0]?.r;
    expect((await ada.browser.post(page, { intent: 'sessions', hours: '8', idleMinutes: '30', networks: '' })).status).toBe(303);
    expect(await rules()).toMatchObject({ hours: 8, idleMinutes: 30 });
    await ada.browser.post(page, { intent: 'sessions', hours: '12', idleMinutes: '30', networks: '', reason: 'Night shift' });
    expect(await rules()).toMatchObject({ hours: 8 });
    const [change] = await query("select id, digest from quorate.control_changes where workspace_id = $1 and kind = 'workspace_sessions'", [
      ada.workspace,
    ]);
    const list = '/dashboard/account/security/passkeys';
    const authenticator = new Authenticator(TEST_ORIGIN);
    const begun = ((await bob.browser.post(list, { form: 'add', name: 'Key', password: PASSWORD })).action as PasskeyAnswer)
      .setup as unknown as {
      state: string;
      options: { challenge: string };
    };
    const made = JSON.stringify({ state: begun.state, answer: authenticator.make(begun.options) });
    expect((await bob.browser.post(list, { form: 'register', name: 'Key', passkey: made })).status).toBe(200);

    const at = `/dashboard/changes/${change.id}`;
    expect((await bob.browser.get(at)).data).toMatchObject({ ways: { passkey: true, password: false } });
    const vote = { vote: 'approve', digest: change.digest, meaning: 'approved' };
    // Less than the strongest that they have, and a proof for another act, count for nothing.
    expect((await bob.browser.post(at, { ...vote, password: PASSWORD })).status).toBe(400);
    const confirm = async (about: string) => {
      const asked = JSON.parse((await bob.browser.post('/auth/passkey', { purpose: 'confirm', about })).text);
      return JSON.stringify({ state: asked.state, answer: authenticator.answer(asked.options) });
    };
    for (const about of ['', 'vote 00000000-0000-4000-8000-000000000000', `break_glass ${change.id}`])
      expect((await bob.browser.post(at, { ...vote, passkey: await confirm(about) })).status).toBe(400);
    expect(await rules()).toMatchObject({ hours: 8 });
    expect((await bob.browser.post(at, { ...vote, passkey: await confirm(`vote ${change.id}`) })).status).toBe(303);
    expect(await rules()).toMatchObject({ hours: 12 });
    const [leaf] = await query(
      "select payload -> 'signature' as signature from quorate.audit_events where workspace_id = $1 and payload ? 'signature'",
      [ada.workspace],
    );
    expect(leaf?.signature).toMatchObject({ method: 'passkey', amr: ['pop', 'user', 'mfa'] });
  });

  test.each<[string, Partial<SessionRules>, Partial<SessionRules>, boolean]>([
    ['longer', { hours: 8 }, { hours: 9 }, true],
    ['shorter', { hours: 8 }, { hours: 7 }, false],
    ['without an end', { hours: 8 }, {}, true],
    ['with an end', {}, { hours: 8 }, false],
    ['idle for longer', { idleMinutes: 30 }, { idleMinutes: 31 }, true],
    ['without a factor', { factor: true }, {}, true],
    ['with a factor', {}, { factor: true }, false],
    ['from everywhere', { networks: ['10.0.0.0/8'] }, {}, true],
    ['from a part', { networks: ['10.0.0.0/8'] }, { networks: ['10.1.0.0/16'] }, false],
    ['from more', { networks: ['10.0.0.0/8'] }, { networks: ['10.0.0.0/8', '192.0.2.0/24'] }, true],
    ['from elsewhere', { networks: ['10.0.0.0/8'] }, { networks: ['192.0.2.0/24'] }, true],
    ['shorter, but without a factor', { hours: 8, factor: true }, { hours: 7 }, true],
  ])('%s', async (_, before, after, looser) => {
    const [row] = await query('select quorate.loosens_sessions($1, $2) as looser', [
      JSON.stringify({ ...NO_RULES, ...before }),
      JSON.stringify({ ...NO_RULES, ...after }),
    ]);
    expect(row?.looser).toBe(looser);
  });
});
