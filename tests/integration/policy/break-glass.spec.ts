/** One person puts a control change into effect alone: loud, for a day at most, undone by itself, and marked in all that is recorded meanwhile. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { breakGlassOf } from '#app/domain/control/break-glass.ts';
import { EMPTY_WORKFLOW, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { expireApprovals } from '#app/engine/approvals/expire-approvals.ts';
import { breakGlass } from '#app/engine/commands/control/break-glass.ts';
import { withdrawControlChange } from '#app/engine/commands/control/withdraw-control-change.ts';
import { changeRoles } from '#app/engine/commands/members/change-roles.ts';
import { removeMember } from '#app/engine/commands/members/remove-member.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { enforcePolicy } from '#app/engine/commands/policies/enforce-policy.ts';
import { activateWorkflow } from '#app/engine/commands/workflows/activate-workflow.ts';
import { createWorkflow } from '#app/engine/commands/workflows/create-workflow.ts';
import { publishWorkflow } from '#app/engine/commands/workflows/publish-workflow.ts';
import { askedOf, type ControlDesk, openControlDesk } from '#tests/integration/support/control-desk.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;
let desk: ControlDesk;
let other: TestMember;
let auditor: TestMember;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace({ reviewsEffects: true });
  desk = openControlDesk(database, fixture, workspace);
  other = await desk.join(['user', 'admin']);
  auditor = await desk.join(['user', 'auditor']);
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const one = async (text: string, values: unknown[]) => (await database.owner.query(text, values)).rows[0];
const act = (member: TestMember) => [desk.as(member), desk.deps()] as const;
const highRisk = () =>
  one("select id, status from quorate.artifacts where workspace_id = $1 and name = 'High risk needs an approver'", [workspace.id]);
const rolesOf = async (member: TestMember): Promise<string[]> =>
  (await one('select roles from quorate.members where workspace_id = $1 and user_id = $2', [workspace.id, member.id]))?.roles ?? [];
const glassOf = (change: string) => one('select * from quorate.break_glass where change_id = $1', [change]);
const lastEvent = () =>
  one('select action, actor_kind, payload from quorate.audit_events where workspace_id = $1 order by id desc limit 1', [workspace.id]);
const told = async (change: string): Promise<string[]> =>
  (
    await database.owner.query(
      `select m.user_id, n.subject ->> 'key' as key from quorate.notifications n
       join quorate.members m on m.user_id = n.user_id and m.workspace_id = n.workspace_id
       where n.workspace_id = $1 and n.once like 'change:' || $2 || ':glass:%' order by n.created_at, n.id`,
      [workspace.id, change],
    )
  ).rows.map(({ user_id, key }) => `${user_id} ${key}`);

async function askToPause(by: TestMember = workspace.admin): Promise<string> {
  const { id } = await highRisk();
  return askedOf(await perform(enforcePolicy, ...act(by), { policy: id, inForce: false, reason: 'It holds up payments' }));
}
async function glass(by: TestMember, change: string, more: Record<string, unknown> = {}, proved = true) {
  const { digest } = await desk.changeOf(change);
  if (proved) await database.prove(by, change, 'break_glass');
  const input = { change, reason: 'Payments stand still', digest, hours: 4, ...more };
  return perform(breakGlass, ...act(by), input);
}
/** Whoever is asked to sweep, at any time later: the database says what is due. */
const sweep = () =>
  expireApprovals({
    asApp: database.database.app,
    asWorker: database.database.asWorker,
    enqueueRun: fixture.enqueueRun,
    newId: desk.deps().newId,
    log: quietLog,
  });
/** No member can change when it ends: the test does it as the owner of the table. */
async function passTime(change: string): Promise<void> {
  await database.arrange(workspace.id, async (client) => {
    await client.query('alter table quorate.break_glass disable trigger user');
    await client.query(
      "update quorate.break_glass set started_at = started_at - interval '1 day', ends_at = now() - interval '1 second' where change_id = $1",
      [change],
    );
    await client.query('alter table quorate.break_glass enable trigger user');
  });
}

describe('break-glass', () => {
  test('puts a change into effect at once, tells everybody who decides or audits, and is undone by itself', async () => {
    const change = await askToPause();
    const before = Date.now();
    const { until } = await glass(workspace.admin, change);
    expect(Math.round((Date.parse(until) - before) / 3_600_000)).toBe(4);
    expect((await highRisk()).status).toBe('inactive');
    expect(await desk.changeOf(change)).toMatchObject({ status: 'emergency' });
    expect(await lastEvent()).toMatchObject({ action: 'breakGlass.started', payload: { change, reason: 'Payments stand still', until } });
    const everybody = [workspace.admin, workspace.approver, other, auditor].map(({ id }) => id).sort();
    expect((await told(change)).sort()).toEqual(everybody.map((id) => `${id} notifyBreakGlass`));

    // all that is recorded meanwhile names it
    await perform(createPolicy, ...act(other), { name: 'Made meanwhile', description: '' });
    expect(breakGlassOf((await lastEvent()).payload)).toEqual([change]);
    expect(await sweep()).toBe(0);
    await passTime(change);
    expect(await sweep()).toBe(1);
    expect((await highRisk()).status).toBe('active');
    expect(await desk.changeOf(change)).toMatchObject({ status: 'expired' });
    expect(await glassOf(change)).toMatchObject({ outcome: 'reverted', ended_by: null });
    expect(await lastEvent()).toMatchObject({ action: 'breakGlass.ended', actor_kind: 'worker', payload: { change, outcome: 'reverted' } });
    expect((await told(change)).filter((line) => line.endsWith('notifyBreakGlassReverted'))).toHaveLength(everybody.length);
    expect(await sweep()).toBe(0);
    await perform(createPolicy, ...act(other), { name: 'Made later', description: '' });
    expect(breakGlassOf((await lastEvent()).payload)).toEqual([]);
  });

  test('is refused without proof of who it is, a reason, the role, or of another digest, for longer than a day, or by a key', async () => {
    const change = await askToPause();
    await expect(glass(workspace.admin, change, {}, false)).rejects.toMatchObject({ message: 'change.reauthenticate' });
    await database.prove(workspace.admin, change);
    await expect(glass(workspace.admin, change, {}, false)).rejects.toMatchObject({ message: 'change.reauthenticate' });
    await expect(glass(workspace.admin, change, { reason: ' ' })).rejects.toMatchObject({ message: 'change.reason' });
    await expect(glass(workspace.admin, change, { digest: 'f'.repeat(64) })).rejects.toMatchObject({ message: 'change.digest' });
    await expect(glass(workspace.approver, change)).rejects.toMatchObject({ message: 'change.askerRole' });
    await expect(glass(workspace.admin, change, { hours: 25 })).rejects.toThrow();
    const { digest } = await desk.changeOf(change);
    const start = `select quorate.start_break_glass('${change}', 'x', '${digest}', 25)`;
    expect(await desk.statement(workspace.admin, start)).toBe('23514');
    expect(await desk.statementByKey(workspace.admin, start.replace(', 25)', ', 1)'))).toBe('QV003');
    expect((await highRisk()).status).toBe('active');
  });

  test('is not lengthened: neither by the login, nor by another one of the same thing within a week', async () => {
    const change = await askToPause();
    await glass(workspace.admin, change);
    await expect(glass(workspace.admin, change)).rejects.toMatchObject({ message: 'change.closed' });
    const longer = `update quorate.break_glass set ends_at = ends_at + interval '1 hour' where change_id = '${change}'`;
    expect(await desk.statement(workspace.admin, longer)).toBe('42501');
    await perform(withdrawControlChange, ...act(workspace.admin), { change });
    expect((await highRisk()).status).toBe('active');
    const again = await askToPause(other);
    await expect(glass(other, again)).rejects.toMatchObject({ message: 'change.again' });
  });

  test('is refused for what cannot be undone', async () => {
    const asked = await perform(removeMember, ...act(workspace.admin), { userId: auditor.id, reason: 'Gone' });
    await expect(glass(workspace.admin, askedOf(asked))).rejects.toMatchObject({ message: 'change.lasting' });
  });

  test('ends before its time by whoever may agree, or by who broke it', async () => {
    const change = await askToPause();
    await glass(workspace.admin, change);
    await expect(desk.vote(workspace.admin, change, { vote: 'reject', reason: 'Over' })).rejects.toMatchObject({
      message: 'change.requester',
    });
    expect(await desk.vote(workspace.approver, change, { vote: 'reject', reason: 'Over' })).toEqual({ status: 'reverted' });
    expect((await highRisk()).status).toBe('active');
    expect(await glassOf(change)).toMatchObject({ outcome: 'reverted', ended_by: workspace.approver.id });
    expect(await lastEvent()).toMatchObject({ action: 'breakGlass.ended', payload: { outcome: 'reverted' } });
    await expect(desk.vote(other, change)).rejects.toMatchObject({ message: 'change.closed' });
  });

  test('stays when another person agrees, who is neither who asked nor who broke the glass', async () => {
    const change = await askToPause();
    await glass(other, change);
    await expect(desk.vote(other, change)).rejects.toMatchObject({ message: 'change.requester' });
    await expect(desk.vote(workspace.admin, change)).rejects.toMatchObject({ message: 'change.requester' });
    expect(await desk.vote(workspace.approver, change)).toEqual({ status: 'agreed' });
    await passTime(change);
    expect(await sweep()).toBe(0);
    expect((await highRisk()).status).toBe('inactive');
    expect(await glassOf(change)).toMatchObject({ outcome: 'agreed' });
  });

  test('leaves what was properly changed meanwhile', async () => {
    const change = await askToPause();
    await glass(workspace.admin, change);
    const { id } = await highRisk();
    const proper = askedOf(await perform(enforcePolicy, ...act(other), { policy: id, inForce: true, reason: 'Enough' }));
    await desk.vote(workspace.approver, proper);
    const pausedAgain = askedOf(await perform(enforcePolicy, ...act(other), { policy: id, inForce: false, reason: 'Agreed now' }));
    await desk.vote(workspace.approver, pausedAgain);
    await passTime(change);
    await sweep();
    expect((await highRisk()).status).toBe('inactive');
    expect(await glassOf(change)).toMatchObject({ outcome: 'left' });
    expect((await told(change)).at(-1)).toMatch(/notifyBreakGlassLeft$/);
  });
});

describe('nobody keeps by another act what break-glass gave', () => {
  test('a workflow that was paused meanwhile has the version of before', async () => {
    const step = { id: 'tell', name: 'Tell', kind: 'message', to: ['starter'], text: 'Done' };
    const document = workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, steps: [step] });
    const draft = { name: 'Pay out', description: '', document, template: null };
    const { id } = await perform(createWorkflow, ...act(workspace.builder), draft);
    const change = askedOf(await perform(publishWorkflow, ...act(workspace.builder), { workflow: id, revision: 1, reason: 'Now' }));
    await glass(workspace.builder, change);
    const inForce = () => one('select status, published_version_id from quorate.artifacts where id = $1', [id]);
    expect((await inForce()).status).toBe('active');
    await perform(activateWorkflow, ...act(workspace.builder), { workflow: id, active: false });
    await passTime(change);
    await sweep();
    expect(await inForce()).toMatchObject({ status: 'inactive', published_version_id: null });
    expect(await glassOf(change)).toMatchObject({ outcome: 'reverted' });
  });

  test('the clock of the workspace stays where it was while a policy is out of force', async () => {
    await glass(workspace.admin, await askToPause());
    const moved = `update quorate.workspaces set settings = settings || '{"timeZone":"Asia/Tokyo"}' where id = '${workspace.id}'`;
    expect(await desk.statement(workspace.admin, moved)).toBe('QP012');
  });

  test('a role comes and goes, whatever else changes of that member', async () => {
    const change = askedOf(
      await perform(changeRoles, ...act(workspace.admin), { userId: workspace.approver.id, roles: ['user'], reason: 'Locked out' }),
    );
    await glass(workspace.admin, change);
    expect(await rolesOf(workspace.approver)).toEqual(['user']);
    await perform(changeRoles, ...act(workspace.admin), { userId: workspace.approver.id, roles: ['user', 'builder'], reason: '' });
    await passTime(change);
    await sweep();
    expect((await rolesOf(workspace.approver)).sort()).toEqual(['approver', 'builder', 'user']);
  });

  test('whoever has a role by it neither agrees, nor asks, nor breaks another glass', async () => {
    const helper = await desk.join(['user']);
    const give = askedOf(
      await perform(changeRoles, ...act(workspace.admin), { userId: helper.id, roles: ['user', 'approver', 'admin'], reason: 'Night' }),
    );
    await glass(workspace.admin, give);
    const raised: TestMember = { ...helper, roles: ['user', 'approver', 'admin'] };
    expect(await rolesOf(helper)).toEqual(raised.roles);
    const change = await askToPause();
    await expect(desk.vote(raised, change)).rejects.toMatchObject({ message: 'change.role' });
    await expect(glass(raised, change)).rejects.toMatchObject({ message: 'change.askerRole' });
    await perform(withdrawControlChange, ...act(workspace.admin), { change });
    await expect(askToPause(raised)).rejects.toMatchObject({ code: 'forbidden' });
    expect((await highRisk()).status).toBe('active');
  });

  test('the last admin is not taken: the workspace keeps the one that it has', async () => {
    const helper = await desk.join(['user']);
    const give = askedOf(
      await perform(changeRoles, ...act(workspace.admin), { userId: helper.id, roles: ['user', 'admin'], reason: 'Night' }),
    );
    await glass(workspace.admin, give);
    await desk.setRoles(other, ['user']);
    await desk.setRoles(workspace.admin, ['user']);
    await passTime(give);
    expect(await sweep()).toBe(1);
    expect(await rolesOf(helper)).toContain('admin');
    expect(await glassOf(give)).toMatchObject({ outcome: 'left' });
  });
});
