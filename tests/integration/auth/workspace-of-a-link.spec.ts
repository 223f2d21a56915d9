/** Whoever follows a link arrives where the thing is, whichever of their workspaces they worked in last. */
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser, type IdentityApp, PASSWORD, startIdentityApp } from '#tests/support/identity-app.ts';

type Me = { userId: string; workspace: { id: string; name: string } };

let app: IdentityApp;
beforeAll(async () => {
  app = await startIdentityApp();
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `reader-${++people}@example.com`;
const PAGE = { Accept: 'text/html,application/xhtml+xml' };
const meOf = async (browser: Browser) => (await browser.get('/dashboard/runs')).data as Me;

async function invitationTo(boss: Browser, email: string, roles: string[]): Promise<string> {
  const { workspace } = await meOf(boss);
  await boss.post('/dashboard/admin/members/invite', { workspace: workspace.id, email, roles });
  const { rows } = await app.db.owner.query('select body from quorate.deliveries where target = $1 order by id desc limit 1', [email]);
  return /http\S+(\/invitations\/\S+)/.exec(rows[0]?.body ?? '')?.[1] ?? '';
}

/** An approval that waits in the workspace of an admin, and an approver who has an older workspace of their own. */
async function waitingElsewhere() {
  const email = newEmail();
  const approver = await app.newcomer(email, { name: 'Ada' });
  const own = (await meOf(approver)).workspace.id;
  const boss = await app.newcomer(newEmail(), { name: 'Boss' });
  const there = (await meOf(boss)).workspace.id;
  await approver.post(await invitationTo(boss, email, ['user', 'approver']), { answer: 'accept' });
  return { email, approver, own, there, approval: await askApproval(there, (await meOf(boss)).userId) };
}

async function askApproval(workspace: string, requester: string): Promise<string> {
  const [artifact, version, run, approval] = [newId(), newId(), newId(), newId()];
  await app.db.arrange(workspace, async (client) => {
    await client.query(
      "insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status) values ($1, $2, 'workflow', 'Pay', $3, 'active')",
      [artifact, workspace, requester],
    );
    await client.query(
      "insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'hash', $4)",
      [version, workspace, artifact, requester],
    );
    await client.query(
      "insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'waiting')",
      [run, workspace, artifact, version, requester],
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
       values ($1, $2, $3, 'a', 'Release the payment', '{}', 'd', '{}', 'low', $4, $4, now() + interval '1 day')`,
      [approval, workspace, run, requester],
    );
  });
  return approval;
}

async function signIn(browser: Browser, email: string, next?: string) {
  const wish = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
  return browser.post(`/auth${wish}`, { form: 'sign-in', email, password: PASSWORD });
}

describe('a link to a thing of another workspace', () => {
  test('switches to the workspace that has it, and shows it', async () => {
    const { approver, own, there, approval } = await waitingElsewhere();
    await approver.post('/dashboard/account/workspace', { workspace: there, workspaceId: own, next: '/dashboard' });
    expect((await meOf(approver)).workspace.id).toBe(own);

    const path = `/dashboard/approvals/${approval}`;
    expect(await approver.get(path, PAGE)).toMatchObject({ status: 302, location: path });
    expect(await approver.get(path, PAGE)).toMatchObject({ status: 200, data: { title: 'Release the payment' } });
    expect((await meOf(approver)).workspace.id).toBe(there);
  });

  test('leads there through signing in, in a browser that knows nothing yet', async () => {
    const { email, there, approval } = await waitingElsewhere();
    const browser = app.browser();
    const path = `/dashboard/approvals/${approval}`;
    const turnedAway = await browser.get(path, PAGE);
    expect(turnedAway.location).toBe(`/auth?next=${encodeURIComponent(path)}`);
    expect(await signIn(browser, email, path)).toMatchObject({ status: 303, location: path });
    // Without the header of a page, as the browser's scripts ask.
    expect(await browser.get(path)).toMatchObject({ status: 200, data: { title: 'Release the payment' } });
    expect((await meOf(browser)).workspace.id).toBe(there);
  });

  test('is 404 for whoever does not belong there, and for a thing that is nowhere', async () => {
    const { approver, own, there, approval } = await waitingElsewhere();
    const stranger = await app.newcomer(newEmail());
    const home = (await meOf(stranger)).workspace.id;
    expect((await stranger.get(`/dashboard/approvals/${approval}`, PAGE)).status).toBe(404);
    expect((await meOf(stranger)).workspace.id).toBe(home);

    await approver.post('/dashboard/account/workspace', { workspace: there, workspaceId: own, next: '/dashboard' });
    expect((await approver.get(`/dashboard/approvals/${newId()}`, PAGE)).status).toBe(404);
    expect((await meOf(approver)).workspace.id).toBe(own);
  });

  test('changes nothing under an open page that asks on its own', async () => {
    const { approver, own, there, approval } = await waitingElsewhere();
    await approver.post('/dashboard/account/workspace', { workspace: there, workspaceId: own, next: '/dashboard' });
    expect((await approver.get(`/dashboard/approvals/${approval}`, { Accept: '*/*' })).status).toBe(404);
    expect((await meOf(approver)).workspace.id).toBe(own);
  });

  test('names its workspace where the address has no id, and is heard by members alone', async () => {
    const { approver, own, there } = await waitingElsewhere();
    await approver.post('/dashboard/account/workspace', { workspace: there, workspaceId: own, next: '/dashboard' });
    expect(await approver.get(`/dashboard/runs?status=failed&workspace=${there}`, PAGE)).toMatchObject({
      status: 302,
      location: '/dashboard/runs?status=failed',
    });
    expect((await meOf(approver)).workspace.id).toBe(there);

    const stranger = await app.newcomer(newEmail());
    expect((await stranger.get(`/dashboard/runs?workspace=${there}`, PAGE)).data).not.toMatchObject({ workspace: { id: there } });
  });
});

describe('signing in', () => {
  test('returns to the workspace where one worked last, in another browser too', async () => {
    const { email, approver, own, there } = await waitingElsewhere();
    const worked = (workspace: string) =>
      vi.waitFor(async () => {
        expect((await meOf(approver)).workspace.id).toBe(workspace);
        const { rows } = await app.db.owner.query(
          'select last_workspace_id from quorate.preferences p join auth.users u on u.id = p.user_id where u.email = $1',
          [email],
        );
        expect(rows[0]?.last_workspace_id).toBe(workspace);
      });
    await worked(there);
    const second = app.browser();
    await signIn(second, email);
    expect((await meOf(second)).workspace.id).toBe(there);

    await approver.post('/dashboard/account/workspace', { workspace: there, workspaceId: own, next: '/dashboard' });
    await worked(own);
    const third = app.browser();
    await signIn(third, email);
    expect((await meOf(third)).workspace.id).toBe(own);
    // What one does elsewhere moves nobody who is at work.
    expect((await meOf(second)).workspace.id).toBe(there);
  });
});

describe('whoever comes by invitation', () => {
  const workspacesOf = async (browser: Browser) =>
    ((await browser.get('/dashboard/account')).data as { workspaces: { name: string }[] }).workspaces.map(({ name }) => name);

  test('finds it after confirming in another browser than the link was opened in', async () => {
    const boss = await app.newcomer(newEmail(), { name: 'Boss' });
    const email = newEmail();
    const path = await invitationTo(boss, email, ['user']);
    await app
      .browser()
      .post(`/auth?mode=sign-up&next=${encodeURIComponent(path)}`, { form: 'sign-up', email, password: PASSWORD, name: 'Guest' });
    const phone = app.browser();
    expect(await phone.post(app.linkTo(email), { form: 'link' })).toMatchObject({ status: 303, location: '/dashboard' });
    const led = (await phone.get('/dashboard', PAGE)).location ?? '';
    expect(led).toMatch(/^\/invitations\/[0-9a-f-]{36}$/);
    expect(await phone.get(led)).toMatchObject({ status: 200, data: { kind: 'ready', workspace: 'Boss’s workspace' } });
    const stranger = await app.newcomer(newEmail());
    expect((await stranger.get(led)).status).toBe(404);
    expect((await app.browser().get(led)).status).toBe(404);
    expect(await phone.post(led, { answer: 'accept' })).toMatchObject({ status: 303, location: '/dashboard' });
    expect(await workspacesOf(phone)).toEqual(['Boss’s workspace']);
  });

  test('has a workspace of their own after declining', async () => {
    const boss = await app.newcomer(newEmail(), { name: 'Boss' });
    const email = newEmail();
    const path = await invitationTo(boss, email, ['user']);
    const guest = await app.newcomer(email, { name: 'Guest', next: path });
    expect(await guest.post(path, { answer: 'decline' })).toMatchObject({ status: 303, location: '/dashboard' });
    expect(await workspacesOf(guest)).toEqual(['Guest’s workspace']);
  });
});
