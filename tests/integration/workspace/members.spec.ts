import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantOf } from '#app/domain/workflows/time-zone.ts';
import { endMemberships } from '#app/engine/account/end-memberships.ts';
import { newId } from '#app/platform/ids.ts';
import { type Browser, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';
import { quietLog } from '#tests/support/quiet-log.ts';

type Me = { userId: string; roles: string[]; name: string; workspace: { id: string; name: string } };

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `member-${++people}@example.com`;
const meOf = async (browser: Browser) => (await browser.get('/dashboard/runs')).data as Me;

/** The path of the invitation that was mailed last to this address; deliveries are not sent here. */
async function invitationTo(email: string): Promise<string> {
  const { rows } = await app.db.owner.query(
    'select body from quorate.deliveries where target = $1 order by created_at desc, id desc limit 1',
    [email],
  );
  const link = /http\S+(\/invitations\/\S+)/.exec(rows[0]?.body ?? '')?.[1];
  if (link === undefined) throw new Error(`no invitation was queued for ${email}`);
  return link;
}
const eventsOf = async (workspaceId: string) =>
  (
    await app.db.owner.query('select action, resource_name, actor_name from quorate.audit_events where workspace_id = $1 order by id', [
      workspaceId,
    ])
  ).rows;

/** An admin with a second member of these roles. `founded`: who had a workspace of their own before. */
async function team(roles: string[], founded = false) {
  const email = newEmail();
  const founder = founded ? await app.newcomer(email, { name: 'Guest' }) : null;
  const boss = await app.newcomer(newEmail(), { name: 'Boss' });
  const workspace = (await meOf(boss)).workspace.id;
  await boss.post('/dashboard/admin/members/invite', { workspace, email, roles });
  const path = await invitationTo(email);
  const guest = founder ?? (await app.newcomer(email, { name: 'Guest', next: path }));
  expect(await guest.post(path, { answer: 'accept' })).toMatchObject({ status: 303, location: '/dashboard' });
  return { boss, guest, workspace, bossId: (await meOf(boss)).userId, guestId: (await meOf(guest)).userId };
}

describe('an invitation', () => {
  test('brings someone into the workspace with its roles, and founds no empty one beside it', async () => {
    const { boss, guest, workspace } = await team(['user', 'approver']);
    const me = await meOf(guest);
    expect(me).toMatchObject({ name: 'Guest', roles: ['user', 'approver'], workspace: { id: workspace } });
    const account = (await guest.get('/dashboard/account')).data as { workspaces: { name: string }[] };
    expect(account.workspaces.map(({ name }) => name)).toEqual(['Boss’s workspace']);
    const { data } = await boss.get('/dashboard/admin/members');
    expect((data as { members: { name: string }[] }).members.map(({ name }) => name)).toEqual(['Boss', 'Guest']);
    expect((data as { invitations: { state: string }[] }).invitations).toMatchObject([{ state: 'accepted' }]);
    expect((await eventsOf(workspace)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['invitation.sent', 'invitation.accepted']),
    );
  });

  test('is kept as a hash alone, and its mail names who invites, where and as what', async () => {
    const boss = await app.newcomer(newEmail(), { name: 'Boss' });
    const workspace = (await meOf(boss)).workspace.id;
    const email = newEmail();
    await boss.post('/dashboard/admin/members/invite', { workspace, email, roles: ['auditor'] });
    const path = await invitationTo(email);
    const token = path.split('/').at(-1) ?? '';
    const { rows } = await app.db.owner.query('select i::text as row from quorate.invitations i where email = $1', [email]);
    expect(rows[0].row).not.toContain(token);
    const mail = await app.db.owner.query('select subject, body, status from quorate.deliveries where target = $1', [email]);
    expect(mail.rows[0]).toMatchObject({ subject: 'Boss invites you to Boss’s workspace on Quorate', status: 'pending' });
    expect(mail.rows[0].body).toContain('Auditor');
  });

  test('is for its address alone, works once, and never for a stranger who is signed in', async () => {
    const boss = await app.newcomer(newEmail());
    const workspace = (await meOf(boss)).workspace.id;
    const email = newEmail();
    await boss.post('/dashboard/admin/members/invite', { workspace, email, roles: ['user'] });
    const path = await invitationTo(email);
    expect(await app.browser().get(path)).toMatchObject({ status: 200, data: { kind: 'anonymous', email } });
    expect(await app.browser().post(path, { answer: 'accept' })).toMatchObject({
      status: 303,
      location: `/auth?next=${encodeURIComponent(path)}`,
    });

    const stranger = await app.newcomer(newEmail());
    expect(await stranger.get(path)).toMatchObject({ status: 403, data: { kind: 'wrongAccount' } });
    expect(await stranger.post(path, { answer: 'accept' })).toMatchObject({ status: 303, location: path });
    expect((await meOf(stranger)).workspace.id).not.toBe(workspace);

    const guest = await app.newcomer(email.toUpperCase().replace('@EXAMPLE.COM', '@example.com'), { next: path });
    const both = await Promise.all([guest.post(path, { answer: 'accept' }), guest.post(path, { answer: 'accept' })]);
    expect(both.map(({ location }) => location).sort()).toEqual(['/dashboard', path].sort());
    expect(await guest.get(path)).toMatchObject({ status: 410, data: { kind: 'over', state: 'accepted' } });
  });

  test('can be declined, withdrawn and run out; each says so and lets nobody in', async () => {
    const boss = await app.newcomer(newEmail());
    const workspace = (await meOf(boss)).workspace.id;
    const email = newEmail();
    const guest = await app.newcomer(email);
    const inviteAgain = async () => {
      await boss.post('/dashboard/admin/members/invite', { workspace, email, roles: ['user'] });
      return invitationTo(email);
    };
    const declined = await inviteAgain();
    expect(await guest.post(declined, { answer: 'decline' })).toMatchObject({ status: 303 });
    expect(await guest.get(declined)).toMatchObject({ status: 410, data: { state: 'declined' } });

    const withdrawn = await inviteAgain();
    const list = (await boss.get('/dashboard/admin/members')).data as { invitations: { id: string; state: string }[] };
    const open = list.invitations.find(({ state }) => state === 'open')?.id ?? '';
    expect(await boss.post('/dashboard/admin/members', { workspace, invitation: open })).toMatchObject({ status: 303 });
    expect((await boss.post('/dashboard/admin/members', { workspace, invitation: open })).status).toBe(409);
    expect(await guest.get(withdrawn)).toMatchObject({ status: 410, data: { state: 'withdrawn' } });

    const replaced = await inviteAgain();
    const expired = await inviteAgain();
    expect(await guest.get(replaced)).toMatchObject({ status: 410, data: { state: 'withdrawn' } });
    await app.db.arrange(workspace, async (client) => {
      await client.query(
        `update quorate.invitations set expires_at = now() - interval '1 second' where email = $1 and withdrawn_at is null`,
        [email],
      );
    });
    expect(await guest.get(expired)).toMatchObject({ status: 410, data: { state: 'expired' } });

    for (const path of [declined, withdrawn, replaced, expired]) await guest.post(path, { answer: 'accept' });
    expect((await meOf(guest)).workspace.id).not.toBe(workspace);
    for (const path of ['/invitations/x', `/invitations/${'A'.repeat(43)}`]) expect(await guest.get(path)).toMatchObject({ status: 404 });
  });

  test('is refused for a member, for no role and for roles that do not exist, and keeps what was typed', async () => {
    const email = newEmail();
    const boss = await app.newcomer(email);
    const workspace = (await meOf(boss)).workspace.id;
    const invite = (form: Record<string, string | string[]>) => boss.post('/dashboard/admin/members/invite', { workspace, ...form });
    const member = await invite({ email: email.toUpperCase(), roles: ['user'] });
    expect(member.status).toBe(400);
    expect(JSON.stringify(member.action)).toContain('alreadyMember');
    expect(JSON.stringify(member.action)).toContain(email.toUpperCase());
    expect((await invite({ email: newEmail() })).status).toBe(400);
    expect((await invite({ email: newEmail(), roles: ['root'] })).status).toBe(400);
    expect((await invite({ email: 'no address', roles: ['user'] })).status).toBe(400);
  });
});

describe('a membership with a last day', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const over = (workspace: string, userId: string) =>
    app.db.arrange(workspace, async (client) => {
      await client.query(`update quorate.members set ends_at = now() - interval '1 second' where workspace_id = $1 and user_id = $2`, [
        workspace,
        userId,
      ]);
    });
  const sweep = () => endMemberships({ asApp: app.db.database.app, asWorker: app.db.database.asWorker, newId, log: quietLog });

  test('is told in the mail, on the page of the link and in the list, and opens nothing from its end on', async () => {
    const boss = await app.newcomer(newEmail(), { name: 'Boss' });
    const { userId: bossId, workspace } = await meOf(boss);
    const email = newEmail();
    const day = inDays(3);
    const sent = { workspace: workspace.id, email, roles: ['user', 'builder'], until: day, zone: 'Europe/Berlin' };
    expect(await boss.post('/dashboard/admin/members/invite', sent)).toMatchObject({ status: 303 });
    const path = await invitationTo(email);
    const mail = await app.db.owner.query('select body from quorate.deliveries where target = $1', [email]);
    const words = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
    expect(mail.rows[0].body).toContain(`Your access ends after ${words}.`);
    // The first moment after that day in Berlin.
    const until = instantOf(`${inDays(4)}T00:00`, 'Europe/Berlin')?.toISOString();
    expect(await app.browser().get(path)).toMatchObject({ data: { kind: 'anonymous', memberUntil: until } });

    const guest = await app.newcomer(email, { name: 'Guest', next: path });
    await guest.post(path, { answer: 'accept' });
    const { userId } = await meOf(guest);
    const members = async () =>
      ((await boss.get('/dashboard/admin/members')).data as { members: { name: string; until: string }[] }).members;
    expect(await members()).toMatchObject([
      { name: 'Boss', until: null },
      { name: 'Guest', until },
    ]);
    expect(await sweep()).toBe(0);

    await over(workspace.id, userId);
    // Before anybody has swept: no page, and no form.
    expect((await guest.get('/dashboard/runs')).status).not.toBe(200);
    expect((await guest.post('/dashboard/workflows/new', { workspace: workspace.id, name: 'Late' })).status).not.toBe(303);
    expect(await Promise.all([sweep(), sweep()])).toEqual(expect.arrayContaining([0, 1]));
    expect((await members()).map(({ name }) => name)).toEqual(['Boss']);
    expect((await eventsOf(workspace.id)).filter(({ action }) => action === 'member.ended')).toEqual([
      { action: 'member.ended', resource_name: 'Guest', actor_name: null },
    ]);
    expect((await meOf(boss)).userId).toBe(bossId);
  });

  test('is refused for an admin, before today and more than a year ahead, and by no roles given later', async () => {
    const boss = await app.newcomer(newEmail());
    const workspace = (await meOf(boss)).workspace.id;
    const invite = (form: Record<string, string | string[]>) =>
      boss.post('/dashboard/admin/members/invite', { workspace, zone: 'UTC', email: newEmail(), ...form });
    const refused: Record<string, string | string[]>[] = [
      { roles: ['admin'], until: inDays(3) },
      { roles: ['auditor'], until: inDays(-1) },
      { roles: ['auditor'], until: inDays(368) },
      { roles: ['auditor'], until: '2026-02-31' },
      { roles: ['auditor'], until: inDays(3), zone: 'Mars/Base' },
    ];
    for (const form of refused) {
      const answer = await invite(form);
      expect(answer.status, JSON.stringify(form)).toBe(400);
      expect(JSON.stringify(answer.action), JSON.stringify(form)).toContain('"until":');
    }
    const { rows } = await app.db.owner.query('select from quorate.invitations where workspace_id = $1', [workspace]);
    expect(rows).toHaveLength(0);
    const email = newEmail();
    await invite({ email, roles: ['user'], until: inDays(3) });
    const path = await invitationTo(email);
    const guest = await app.newcomer(email, { next: path });
    await guest.post(path, { answer: 'accept' });
    const raised = await boss.post(`/dashboard/admin/members/${(await meOf(guest)).userId}`, { workspace, roles: ['user', 'admin'] });
    expect([raised.status, JSON.stringify(raised.action)]).toEqual([400, expect.stringContaining('adminHasNoEnd')]);
    // Neither does the database take one, however it is written.
    await expect(
      app.db.arrange(workspace, async (client) => {
        await client.query(`update quorate.members set ends_at = now() + interval '1 day' where workspace_id = $1`, [workspace]);
      }),
    ).rejects.toThrow('members_end');
  });
});

describe('roles', () => {
  test('are changed by an admin, at once, with an event that says from what to what', async () => {
    const { boss, guest, workspace, guestId } = await team(['user']);
    expect((await guest.get('/dashboard/admin/members/invite')).status).toBe(403);
    const changed = await boss.post(`/dashboard/admin/members/${guestId}`, { workspace, roles: ['approver', 'user', 'user'] });
    expect(changed).toMatchObject({ status: 303, location: '/dashboard/admin/members' });
    expect((await meOf(guest)).roles).toEqual(['user', 'approver']);
    const events = await app.db.owner.query(
      `select payload from quorate.audit_events where workspace_id = $1 and action = 'member.rolesChanged'`,
      [workspace],
    );
    expect(events.rows).toEqual([{ payload: { before: ['user'], after: ['user', 'approver'], separated: false, reason: '' } }]);
  });

  test('of an admin are an admin’s matter: nobody raises themselves, by any form', async () => {
    const { guest, workspace, guestId, bossId } = await team(['user', 'builder', 'approver', 'auditor']);
    for (const path of [
      `/dashboard/admin/members/${guestId}`,
      `/dashboard/admin/members/${bossId}`,
      `/dashboard/admin/members/${bossId}/remove`,
    ]) {
      expect((await guest.post(path, { workspace, roles: ['admin'] })).status).toBe(403);
    }
    expect((await guest.post('/dashboard/admin/members/invite', { workspace, email: newEmail(), roles: ['admin'] })).status).toBe(403);
    await guest.post('/dashboard/account/profile', { workspace, name: 'Guest', roles: 'admin', role: 'admin', workspace_id: workspace });
    expect((await meOf(guest)).roles).toEqual(['user', 'builder', 'approver', 'auditor']);
    const profile = await app.db.owner.query('select role from public.profiles where id = $1', [guestId]);
    expect(profile.rows).toEqual([{ role: 'user' }]);
  });

  test('keep one admin: neither demoted nor removed, nor by two who step down at once', async () => {
    const { boss, guest, workspace, bossId, guestId } = await team(['admin']);
    const both = await Promise.all([
      boss.post(`/dashboard/admin/members/${bossId}`, { workspace, roles: ['user'] }),
      guest.post(`/dashboard/admin/members/${guestId}`, { workspace, roles: ['user'] }),
    ]);
    expect(both.filter(({ status }) => status === 303)).toHaveLength(1);
    const { rows } = await app.db.owner.query(`select user_id from quorate.members where workspace_id = $1 and 'admin' = any (roles)`, [
      workspace,
    ]);
    expect(rows).toHaveLength(1);
    const [last, lastId] = rows[0].user_id === bossId ? [boss, bossId] : [guest, guestId];
    const demoted = await last.post(`/dashboard/admin/members/${lastId}`, { workspace, roles: ['user'] });
    expect(demoted.status).toBe(400);
    expect(JSON.stringify(demoted.action)).toContain('lastAdmin');
    expect((await last.post(`/dashboard/admin/members/${lastId}/remove`, { workspace })).status).toBe(400);
  });

  test('of someone in another workspace cannot be seen or touched', async () => {
    const { guestId } = await team(['user']);
    const outsider = await app.newcomer(newEmail());
    const workspace = (await meOf(outsider)).workspace.id;
    for (const path of [`/dashboard/admin/members/${guestId}`, `/dashboard/admin/members/${guestId}/remove`]) {
      expect((await outsider.get(path)).status).toBe(404);
      expect((await outsider.post(path, { workspace, roles: ['user'] })).status).toBe(404);
    }
  });
});

describe('a member who is removed', () => {
  test('is out with the next request, in every open session', async () => {
    const { boss, guest, workspace, guestId } = await team(['user', 'builder']);
    const elsewhere = guest.copy();
    expect(await boss.post(`/dashboard/admin/members/${guestId}/remove`, { workspace })).toMatchObject({ status: 303 });
    for (const browser of [guest, elsewhere]) expect((await meOf(browser)).workspace.id).not.toBe(workspace);
    const posted = await guest.post('/dashboard/account/profile', { workspace, name: 'Still here' });
    expect(posted).toMatchObject({ status: 409, error: { data: { kept: 'otherWorkspace', workspaces: { from: null } } } });
  });

  test('takes along the views that they saved there, those that they shared too, and no one else’s', async () => {
    const { boss, workspace, bossId, guest, guestId } = await team(['user', 'builder'], true);
    const { workspaces } = (await guest.get('/dashboard/account')).data as { workspaces: { id: string }[] };
    const elsewhere = workspaces.find(({ id }) => id !== workspace)?.id;
    const save = (within: string | undefined, who: string, name: string) =>
      app.db.owner.query(
        `insert into quorate.saved_views (id, workspace_id, user_id, area, name, query, shared)
         values (gen_random_uuid(), $1, $2, 'runs', $3, 'status=failed', true)`,
        [within, who, name],
      );
    await save(workspace, guestId, 'Theirs');
    await save(workspace, bossId, 'The admin’s');
    await save(elsewhere, guestId, 'Elsewhere');
    expect(await boss.post(`/dashboard/admin/members/${guestId}/remove`, { workspace })).toMatchObject({ status: 303 });
    const { rows } = await app.db.owner.query('select name from quorate.saved_views where user_id = any ($1) order by name', [
      [bossId, guestId],
    ]);
    expect(rows.map(({ name }) => name)).toEqual(['Elsewhere', 'The admin’s']);
  });
});

describe('two workspaces', () => {
  test('a form of one is not taken in the other: it is given back, and sent again where it came from', async () => {
    const { guest, workspace } = await team(['user'], true);
    const { workspaces } = (await guest.get('/dashboard/account')).data as { workspaces: { id: string; name: string }[] };
    const own = workspaces.find(({ id }) => id !== workspace);
    expect(await guest.post('/dashboard/account/workspace', { workspace, workspaceId: own?.id ?? '' })).toMatchObject({
      status: 303,
      location: '/dashboard',
    });
    expect((await meOf(guest)).workspace.id).toBe(own?.id);

    const mismatch = await guest.post('/dashboard/account/profile', { workspace, name: 'Typed before' });
    expect(mismatch).toMatchObject({
      status: 409,
      error: {
        data: {
          kept: 'otherWorkspace',
          fields: [
            { name: 'workspace', value: workspace },
            { name: 'name', value: 'Typed before' },
          ],
          workspaces: { from: { id: workspace }, now: { id: own?.id } },
        },
      },
    });
    expect(
      await guest.post('/dashboard/account/profile', { workspace, name: 'Typed before', confirmedWorkspace: workspace }),
    ).toMatchObject({
      status: 303,
    });
    expect(await meOf(guest)).toMatchObject({ name: 'Typed before', workspace: { id: workspace } });
    expect((await eventsOf(workspace)).map(({ action }) => action)).toContain('member.renamed');
  });

  test('one that is not one’s own cannot be chosen', async () => {
    const { workspace } = await team(['user']);
    const outsider = await app.newcomer(newEmail());
    const own = (await meOf(outsider)).workspace.id;
    expect((await outsider.post('/dashboard/account/workspace', { workspace: own, workspaceId: workspace })).status).toBe(404);
    outsider.cookies.set('workspace', workspace);
    expect((await meOf(outsider)).workspace.id).toBe(own);
  });
});

describe('a role of control', () => {
  type Change = { id: string; digest: string; refusal: string | null; mine: boolean; deciders: string[] };
  const openOf = async (browser: Browser) => ((await browser.get('/dashboard/changes')).data as { open: { id: string }[] }).open;
  const rolesOf = async (userId: string, workspace: string) =>
    (await app.db.owner.query('select roles from quorate.members where user_id = $1 and workspace_id = $2', [userId, workspace])).rows[0]
      .roles;
  async function join(boss: Browser, workspace: string, roles: string[]) {
    const email = newEmail();
    await boss.post('/dashboard/admin/members/invite', { workspace, email, roles });
    const path = await invitationTo(email);
    const person = await app.newcomer(email, { name: 'Third', next: path });
    await person.post(path, { answer: 'accept' });
    return { person, id: (await meOf(person)).userId };
  }
  const see = async (who: Browser, path: string) => (await who.get(path)).data as Change;
  async function answer(who: Browser, workspace: string, path: string, vote: string, digest: string, more: Record<string, string> = {}) {
    return who.post(path, { workspace, vote, digest, password: PASSWORD, ...more });
  }

  test('waits for a second person, who is neither who asks nor who gains it; and every answer is audited', async () => {
    const { boss, guest, workspace, guestId } = await team(['user', 'admin']);
    const second = await join(boss, workspace, ['user']);
    await app.db.arrange(workspace, async (client) => {
      await client.query("update quorate.members set roles = '{user,approver}' where workspace_id = $1 and user_id = $2", [
        workspace,
        second.id,
      ]);
    });
    const give = (more: Record<string, string> = {}) =>
      boss.post(`/dashboard/admin/members/${guestId}`, { workspace, roles: ['user', 'approver', 'admin'], ...more });
    const unreasoned = await give();
    expect(unreasoned.status).toBe(400);
    expect(JSON.stringify(unreasoned.action)).toContain('changeReason');
    const asked = await give({ reason: 'She decides on payments' });
    expect(asked).toMatchObject({ status: 303, location: expect.stringMatching(/^\/dashboard\/changes\//) });
    const path = asked.location ?? '';
    expect(await rolesOf(guestId, workspace)).toEqual(['user', 'admin']);
    expect((await give({ reason: 'Again' })).status).toBe(409);
    const told = async () =>
      (
        await app.db.owner.query(
          "select user_id, kind, subject ->> 'key' as key, read_at is null as unread from quorate.notifications where subject ->> 'key' like 'notifyRoles%' and workspace_id = $1 order by id",
          [workspace],
        )
      ).rows;
    // Neither who asks nor who gains it: they cannot agree.
    expect(await told()).toEqual([{ user_id: second.id, kind: 'approval', key: 'notifyRolesWaiting', unread: true }]);
    const waiting = async (who: Browser) => (await who.get('/dashboard/approvals')).data;
    expect(await waiting(second.person)).toMatchObject({
      mine: 1,
      changes: [{ name: 'Guest', requestedBy: 'Boss', kind: 'member_roles' }],
    });
    expect(await waiting(boss)).toMatchObject({ mine: 0, changes: [] });
    expect(await see(boss, path)).toMatchObject({ mine: true, refusal: 'requester', deciders: ['Third'] });
    expect(await see(guest, path)).toMatchObject({ refusal: 'ownRoles' });
    const { digest } = await see(second.person, path);
    for (const who of [boss, guest]) expect((await answer(who, workspace, path, 'approve', digest)).status).toBe(403);
    expect((await answer(second.person, workspace, path, 'approve', digest, { password: 'wrong' })).status).toBe(400);
    expect((await answer(second.person, workspace, path, 'reject', digest)).status).toBe(400);
    expect(await rolesOf(guestId, workspace)).toEqual(['user', 'admin']);
    expect(await answer(second.person, workspace, path, 'approve', digest)).toMatchObject({ status: 303, location: path });
    expect(await rolesOf(guestId, workspace)).toEqual(['user', 'approver', 'admin']);
    expect((await answer(second.person, workspace, path, 'approve', digest)).status).toBe(409);
    const bossId = (await meOf(boss)).userId;
    expect(await told()).toEqual([
      { user_id: second.id, kind: 'approval', key: 'notifyRolesWaiting', unread: false },
      { user_id: bossId, kind: 'approval', key: 'notifyRolesGranted', unread: true },
    ]);
    expect(await waiting(second.person)).toMatchObject({ mine: 0, changes: [] });
    expect((await eventsOf(workspace)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.rolesRequested', 'member.rolesChanged']),
    );
  });

  test('can be rejected, and taken back by who asked', async () => {
    const { boss, guest, workspace, guestId } = await team(['user', 'approver']);
    for (const [who, form] of [
      [guest, { vote: 'reject', reason: 'I go on with it' }],
      [boss, { command: 'withdraw' }],
    ] as const) {
      const asked = await boss.post(`/dashboard/admin/members/${guestId}`, { workspace, roles: ['user'], reason: 'A new team' });
      const path = asked.location ?? '';
      const { digest } = await see(who, path);
      expect((await who.post(path, { workspace, digest, password: PASSWORD, ...form })).status).toBe(303);
      expect(await openOf(boss)).toEqual([]);
      expect(await rolesOf(guestId, workspace)).toEqual(['user', 'approver']);
    }
  });

  test('by invitation waits as well', async () => {
    const { boss, workspace } = await team(['user', 'admin']);
    const invited = await join(boss, workspace, ['user', 'auditor']);
    expect(await rolesOf(invited.id, workspace)).toEqual(['user']);
    expect(await openOf(boss)).toHaveLength(1);
  });

  test('is not taken from the only approver by the admin alone, nor is that person removed', async () => {
    const { boss, guest, workspace, guestId } = await team(['user', 'approver']);
    const asked = await boss.post(`/dashboard/admin/members/${guestId}/remove`, { workspace, reason: 'Left the company' });
    expect(asked).toMatchObject({ status: 303, location: expect.stringMatching(/^\/dashboard\/changes\//) });
    expect(await rolesOf(guestId, workspace)).toEqual(['user', 'approver']);
    const path = asked.location ?? '';
    expect((await answer(guest, workspace, path, 'approve', (await see(guest, path)).digest)).status).toBe(303);
    expect((await meOf(guest)).workspace.id).not.toBe(workspace);
  });
});
