/** A change that weakens or moves control is requested, and another person agrees to exactly that: by command, and by SQL as the login. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Role } from '#app/contracts/people.ts';
import { expireApprovals } from '#app/engine/approvals/expire-approvals.ts';
import { decideControlChange } from '#app/engine/commands/control/decide-control-change.ts';
import { withdrawControlChange } from '#app/engine/commands/control/withdraw-control-change.ts';
import { changeRoles } from '#app/engine/commands/members/change-roles.ts';
import { removeMember } from '#app/engine/commands/members/remove-member.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createPolicy } from '#app/engine/commands/policies/create-policy.ts';
import { enforcePolicy } from '#app/engine/commands/policies/enforce-policy.ts';
import { publishPolicy } from '#app/engine/commands/policies/publish-policy.ts';
import { loadPolicySources } from '#app/engine/policy/load-policy-sources.ts';
import { commandDeps, principalOf } from '#tests/integration/support/policy-in-force.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { createRunFixture, type RunFixture, type Workspace } from '#tests/support/run-fixture.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let database: TestDatabase;
let fixture: RunFixture;
let workspace: Workspace;

beforeAll(async () => {
  database = await createTestDatabase();
  fixture = await createRunFixture(database);
});
beforeEach(async () => {
  workspace = await fixture.makeWorkspace();
});
afterAll(async () => {
  await fixture.close();
  await database.close();
});

const as = (member: TestMember) => principalOf(database, fixture, workspace, member);
const deps = () => commandDeps(fixture);
const policies = async () =>
  (await database.database.asWorker(workspace.id, loadPolicySources)).map(({ policyName, version }) => `${policyName} ${version}`).sort();
const rolesOf = async (member: TestMember): Promise<Role[] | null> =>
  (await database.owner.query('select roles from quorate.members where workspace_id = $1 and user_id = $2', [workspace.id, member.id]))
    .rows[0]?.roles ?? null;
const highRisk = async (): Promise<string> =>
  (
    await database.owner.query("select id from quorate.artifacts where workspace_id = $1 and name = 'High risk needs an approver'", [
      workspace.id,
    ])
  ).rows[0].id;
const changeOf = async (id: string) => (await database.owner.query('select * from quorate.control_changes where id = $1', [id])).rows[0];
const lastEvents = async () =>
  (
    await database.owner.query(
      'select action, resource_kind, actor_name, payload from quorate.audit_events where workspace_id = $1 order by id desc limit 3',
      [workspace.id],
    )
  ).rows;

async function askToPause(by: TestMember = workspace.admin): Promise<string> {
  const asked = await perform(enforcePolicy, as(by), deps(), { policy: await highRisk(), inForce: false, reason: 'It holds up payments' });
  if (asked.state !== 'requested') throw new Error('nobody was asked');
  return asked.asked;
}
async function vote(by: TestMember, change: string, more: Partial<z.input<typeof decideControlChange.input>> = {}) {
  await database.prove(by, change);
  return voteUnproved(by, change, more);
}
async function voteUnproved(by: TestMember, change: string, more: Partial<z.input<typeof decideControlChange.input>> = {}) {
  const { digest } = await changeOf(change);
  return perform(decideControlChange, as(by), deps(), { change, vote: 'approve', reason: '', digest, ...more });
}
/** Another member with these roles, as an earlier agreement made them. */
async function join(roles: Role[]): Promise<TestMember> {
  const user = await database.makeUser();
  await database.arrange(workspace.id, async (client) => {
    await client.query('insert into quorate.members (workspace_id, user_id, roles, name, email) values ($1, $2, $3, $4, $5)', [
      workspace.id,
      user.id,
      roles,
      'Joined',
      user.email,
    ]);
  });
  return { ...user, roles, sessionId: await database.makeSession(user.id) };
}
/** A statement as a member's transaction of the application's own login. Answers the SQLSTATE, or `done`. */
const statement = (member: TestMember, text: string) =>
  fixture
    .asMember(workspace, member, async (db) => {
      await sql.raw(text).execute(db);
      return { result: 'done', event: { action: 'policy.paused', resource: { kind: 'policy', id: 'x' } } };
    })
    .catch((error: { code?: string; cause?: { code?: string } }) => error.cause?.code ?? error.code);

describe('a policy', () => {
  test('is paused when another person agrees, once, and the log says who asked and who agreed', async () => {
    const before = await policies();
    const change = await askToPause();
    expect(await policies()).toEqual(before);
    expect((await lastEvents())[0]).toMatchObject({
      action: 'change.requested',
      resource_kind: 'change',
      payload: { kind: 'policy_pause' },
    });
    await vote(workspace.approver, change);
    expect(await policies()).toEqual(before.filter((name) => !name.startsWith('High risk')));
    expect(await changeOf(change)).toMatchObject({ status: 'approved' });
    expect((await lastEvents())[0]).toMatchObject({
      action: 'policy.paused',
      payload: { change, requestedBy: workspace.admin.id, digest: (await changeOf(change)).digest },
    });
    await expect(vote(workspace.approver, change)).rejects.toMatchObject({ code: 'conflict', message: 'change.closed' });
  });

  test('stays as it is where the other person rejects, or who asked withdraws', async () => {
    const before = await policies();
    await expect(vote(workspace.approver, await askToPause(), { vote: 'reject' })).rejects.toMatchObject({ message: 'change.reason' });
    const [open] = (
      await database.owner.query("select id from quorate.control_changes where workspace_id = $1 and status = 'pending'", [workspace.id])
    ).rows;
    await vote(workspace.approver, open.id, { vote: 'reject', reason: 'Payments to listed names would go out' });
    const again = await askToPause();
    await expect(perform(withdrawControlChange, as(workspace.approver), deps(), { change: again })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await perform(withdrawControlChange, as(workspace.admin), deps(), { change: again });
    expect(await policies()).toEqual(before);
    expect((await lastEvents()).map(({ action }) => action)).toEqual(['change.withdrawn', 'change.requested', 'change.rejected']);
  });

  test('is published when another person agrees to that version, which its author never is', async () => {
    const second = await join(['user', 'admin']);
    const { id } = await perform(createPolicy, as(workspace.admin), deps(), { name: 'Large sums', description: '' });
    const text = '@id("a") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { context.risk == "high" };';
    const state = { policy: id, revision: 1, name: 'Large sums', description: '', text };
    await expect(perform(publishPolicy, as(workspace.admin), deps(), state)).rejects.toMatchObject({ message: 'changeReason' });
    const asked = await perform(publishPolicy, as(workspace.admin), deps(), { ...state, reason: 'The board wants it' });
    if (asked.state !== 'requested') throw new Error('nobody was asked');
    expect((await policies()).some((name) => name.startsWith('Large sums'))).toBe(false);
    await expect(vote(workspace.admin, asked.asked)).rejects.toMatchObject({ message: 'change.requester' });
    // who wrote the version is not always who asks for it
    await perform(withdrawControlChange, as(workspace.admin), deps(), { change: asked.asked });
    const { rows } = await database.owner.query('select id from quorate.versions where artifact_id = $1', [id]);
    const [before, after] = [
      { status: 'inactive', versionId: null },
      { status: 'active', versionId: rows[0].id },
    ];
    const request = await askFor(second, { kind: 'policy_publish', resource: id, before, after });
    await expect(vote(workspace.admin, request)).rejects.toMatchObject({ message: 'change.author' });
    await vote(workspace.approver, request);
    expect(await policies()).toContain('Large sums 1');
  });
});

/** Asks for a change with a subject and a due time of one's own, as a stolen login could. */
async function askFor(
  by: TestMember,
  asked: { kind: string; resource: string; before: unknown; after: unknown; due?: string },
): Promise<string> {
  const id = newId();
  const { due = '1 day', ...subject } = asked;
  const text = JSON.stringify({ ...subject, reason: 'x', workspace: workspace.id });
  await fixture.asMember(workspace, by, async (db) => {
    await sql`select quorate.request_control_change(${id}, ${text}::json, now() + ${due}::interval)`.execute(db);
    return { result: null, event: { action: 'change.requested', resource: { kind: 'change', id } } };
  });
  return id;
}
/** A pause that is past due as it is asked for. */
async function askTooLate(): Promise<string> {
  const resource = await highRisk();
  const { rows } = await database.owner.query('select published_version_id as id from quorate.artifacts where id = $1', [resource]);
  const before = { status: 'active', versionId: rows[0].id };
  return askFor(workspace.admin, { kind: 'policy_pause', resource, before, after: { ...before, status: 'inactive' }, due: '-1 second' });
}

describe('nobody decides', () => {
  const refused: [string, (change: string) => Promise<unknown>, string][] = [
    ['on what they asked for', (change) => vote(workspace.admin, change), 'change.requester'],
    ['without a role that decides', (change) => vote(workspace.builder, change), 'not_found'],
    ['without proving again that it is them', (change) => voteUnproved(workspace.approver, change), 'change.reauthenticate'],
    ['on another change than the one shown', (change) => vote(workspace.approver, change, { digest: 'f'.repeat(64) }), 'change.digest'],
    [
      'whose role was taken meanwhile',
      async (change) => {
        await database.arrange(workspace.id, async (client) => {
          await client.query("update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2", [
            workspace.id,
            workspace.approver.id,
          ]);
        });
        return vote(workspace.approver, change);
      },
      'not_found',
    ],
    [
      'on what is not so any more',
      async (change) => {
        await database.arrange(workspace.id, async (client) => {
          await client.query("update quorate.artifacts set status = 'inactive' where id = $1", [await highRisk()]);
        });
        return vote(workspace.approver, change);
      },
      'change.changed',
    ],
    [
      'where who asked is no admin any more',
      async (change) => {
        await join(['user', 'admin']);
        await database.arrange(workspace.id, async (client) => {
          await client.query("update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2", [
            workspace.id,
            workspace.admin.id,
          ]);
        });
        return vote(workspace.approver, change);
      },
      'change.requesterGone',
    ],
  ];
  test.each(refused)('%s', async (_, attempt, message) => {
    const change = await askToPause();
    await expect(attempt(change)).rejects.toSatisfy((error: { message: string; code: string }) =>
      [error.message, error.code].includes(message),
    );
    expect(await changeOf(change)).toMatchObject({ status: 'pending' });
  });

  test('on what is past due', async () => {
    await expect(vote(workspace.approver, await askTooLate())).rejects.toMatchObject({ message: 'change.late' });
  });

  test('by an API key, whatever its member may do', async () => {
    const change = await askToPause();
    const key = { ...as(workspace.approver), scopes: ['approvals:read'] as const };
    const { digest } = await changeOf(change);
    await expect(perform(decideControlChange, key, deps(), { change, vote: 'approve', reason: '', digest })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(
      perform(enforcePolicy, { ...as(workspace.admin), scopes: ['workflows:write'] }, deps(), { policy: await highRisk(), inForce: false }),
    ).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('the login of the application, in an admin’s transaction', () => {
  test('neither pauses, deletes nor replaces what is in force, nor gives and takes roles of control', async () => {
    const policy = await highRisk();
    const [before, admins] = [await policies(), await rolesOf(workspace.admin)];
    const attempts = [
      `update quorate.artifacts set status = 'inactive' where id = '${policy}'`,
      `update quorate.artifacts set deleted_at = now() where id = '${policy}'`,
      `update quorate.artifacts set published_version_id = null where id = '${policy}'`,
      `update quorate.artifacts set kind = 'workflow' where id = '${policy}'`,
      `insert into quorate.artifacts (id, workspace_id, kind, name, owner_id, status, published_version_id)
         select '${newId()}', workspace_id, 'policy', 'Put in', '${workspace.admin.id}', 'active', published_version_id
           from quorate.artifacts where id = '${policy}'`,
      `update quorate.members set roles = '{user}' where user_id = '${workspace.approver.id}'`,
      `update quorate.members set roles = '{user,builder,approver}' where user_id = '${workspace.builder.id}'`,
      `update quorate.members set roles = '{user,builder,auditor}' where user_id = '${workspace.builder.id}'`,
      `update quorate.members set roles = '{user,builder,admin}' where user_id = '${workspace.builder.id}'`,
      `delete from quorate.members where user_id = '${workspace.approver.id}'`,
    ];
    for (const attempt of attempts) expect(['QP005', '42501'], attempt).toContain(await statement(workspace.admin, attempt));
    for (const table of ['control_changes', 'control_votes', 'control_terms'])
      expect(await statement(workspace.admin, `delete from quorate.${table}`), table).toBe('42501');
    const change = await askToPause();
    expect(await statement(workspace.admin, `update quorate.control_changes set status = 'approved' where id = '${change}'`)).toBe('42501');
    expect(
      await statement(
        workspace.approver,
        `insert into quorate.control_votes values ('${workspace.id}', '${change}', '${workspace.approver.id}', '', 'approve', '', '', now(), 'password')`,
      ),
    ).toBe('42501');
    expect(
      await statement(workspace.admin, `select quorate.apply_control_change(c) from quorate.control_changes c where id = '${change}'`),
    ).toBe('42501');
    expect(await policies()).toEqual(before);
    expect(await rolesOf(workspace.approver)).toEqual(['user', 'approver']);
    expect(await rolesOf(workspace.admin)).toEqual(admins);
  });

  test('cannot ask for more than the kind of the change says', async () => {
    const resource = await highRisk();
    const { rows } = await database.owner.query(
      "select id, published_version_id as version from quorate.artifacts where workspace_id = $1 and kind = 'policy' order by id = $2 desc",
      [workspace.id, resource],
    );
    const [own, other] = rows;
    const before = { status: 'active', versionId: own.version };
    for (const [kind, after] of [
      ['policy_pause', before],
      ['policy_pause', { status: 'inactive', versionId: other.version }],
      ['policy_activate', { status: 'active', versionId: other.version }],
      ['policy_publish', { status: 'active', versionId: other.version }],
      ['policy_publish', { status: 'inactive', versionId: own.version }],
      ['policy_pause', null],
    ] as const)
      await expect(askFor(workspace.admin, { kind, resource, before, after }), kind).rejects.toMatchObject({ code: 'conflict' });
    const roles = { roles: ['user', 'builder'] };
    const about = { resource: workspace.builder.id, before: roles };
    for (const [kind, after] of [
      ['member_remove', { roles: ['user', 'admin'] }],
      ['member_roles', null],
      ['member_roles', { roles: [] }],
      ['member_roles', { roles: ['owner'] }],
    ] as const)
      await expect(askFor(workspace.admin, { kind, ...about, after }), kind).rejects.toMatchObject({ code: 'conflict' });
  });

  test('cannot ask for what is not so', async () => {
    const asked = { kind: 'policy_pause', resource: await highRisk(), before: { status: 'inactive', versionId: null }, after: null };
    await expect(askFor(workspace.admin, asked)).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('roles of control', () => {
  const give = (member: TestMember, roles: Role[], by = workspace.admin) =>
    perform(changeRoles, as(by), deps(), { userId: member.id, roles, reason: 'She changes teams' });

  test('are lost when the person who loses them, or another, agrees; nobody makes room first', async () => {
    const demoted = await give(workspace.approver, ['user']);
    expect(demoted).toMatchObject({ state: 'requested' });
    // the only approver is there, and so is the second person for another one
    expect(await give(workspace.builder, ['user', 'builder', 'approver'])).toMatchObject({ state: 'requested' });
    expect(await rolesOf(workspace.approver)).toEqual(['user', 'approver']);
    await vote(workspace.approver, (demoted as { asked: string }).asked);
    expect(await rolesOf(workspace.approver)).toEqual(['user']);
    // who could agree within the last seven days still counts
    expect(
      await perform(enforcePolicy, as(workspace.admin), deps(), { policy: await highRisk(), inForce: false, reason: 'Now' }),
    ).toMatchObject({
      state: 'requested',
    });
  });

  test('are given up alone, and whoever left counts for seven days', async () => {
    const longAgo = (member: TestMember) =>
      database.arrange(workspace.id, async (client) => {
        await client.query("update quorate.members set roles = '{user}' where workspace_id = $1 and user_id = $2", [
          workspace.id,
          member.id,
        ]);
        await client.query("update quorate.control_terms set until = now() - interval '8 days' where workspace_id = $1 and user_id = $2", [
          workspace.id,
          member.id,
        ]);
      });
    const second = await join(['user', 'admin']);
    await longAgo(workspace.approver);
    expect(await perform(removeMember, as(second), deps(), { userId: second.id })).toEqual({ state: 'removed' });
    const change = await askToPause();
    await perform(withdrawControlChange, as(workspace.admin), deps(), { change });
    await longAgo(second);
    const done = await perform(enforcePolicy, as(workspace.admin), deps(), { policy: await highRisk(), inForce: false });
    expect(done).toEqual({ state: 'done' });
    expect((await lastEvents())[0]).toMatchObject({ action: 'policy.paused', payload: { separated: false } });
  });

  test('a gain is not decided by who gains, a removal by another person', async () => {
    const second = await join(['user', 'admin']);
    const gain = (await give(second, ['user', 'approver', 'admin'])) as { asked: string };
    await expect(vote(second, gain.asked)).rejects.toMatchObject({ message: 'change.ownRoles' });
    await vote(workspace.approver, gain.asked);
    expect(await rolesOf(second)).toEqual(['user', 'approver', 'admin']);
    const removal = await perform(removeMember, as(workspace.admin), deps(), { userId: second.id, reason: 'She has left the company' });
    expect(await rolesOf(second)).not.toBeNull();
    await vote(workspace.approver, (removal as { asked: string }).asked);
    expect(await rolesOf(second)).toBeNull();
    expect((await lastEvents())[0]).toMatchObject({ action: 'member.removed' });
  });

  test('that wait for somebody who is removed meanwhile wait no more, and can be asked for again', async () => {
    const gain = (await give(workspace.builder, ['user', 'builder', 'approver'])) as { asked: string };
    expect(await perform(removeMember, as(workspace.admin), deps(), { userId: workspace.builder.id })).toEqual({ state: 'removed' });
    expect(await changeOf(gain.asked)).toMatchObject({ status: 'withdrawn' });
    expect((await lastEvents())[0]).toMatchObject({ action: 'member.removed' });
  });

  test('two admins who would demote each other at once: one agreement at a time, and one admin stays', async () => {
    const second = await join(['user', 'admin']);
    const mine = (await give(second, ['user'])) as { asked: string };
    const theirs = (await give(workspace.admin, ['user'], second)) as { asked: string };
    const outcomes = await Promise.allSettled([vote(workspace.approver, mine.asked), vote(workspace.approver, theirs.asked)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { rows } = await database.owner.query(
      "select count(*)::int as n from quorate.members where workspace_id = $1 and 'admin' = any (roles)",
      [workspace.id],
    );
    expect(rows[0].n).toBe(1);
  });
});

test('what nobody decided in time is closed by itself, and the log and who asked are told', async () => {
  const change = await askTooLate();
  await expireApprovals({
    asApp: database.database.app,
    asWorker: database.database.asWorker,
    enqueueRun: fixture.enqueueRun,
    newId,
    log: quietLog,
  });
  expect(await changeOf(change)).toMatchObject({ status: 'expired' });
  expect((await lastEvents())[0]).toMatchObject({ action: 'change.expired' });
  const { rows } = await database.owner.query(
    "select user_id from quorate.notifications where workspace_id = $1 and subject ->> 'key' = 'notifyChangeExpired'",
    [workspace.id],
  );
  expect(rows).toEqual([{ user_id: workspace.admin.id }]);
});

test('whoever can agree is told, and nobody else', async () => {
  await askToPause();
  const { rows } = await database.owner.query(
    "select user_id from quorate.notifications where workspace_id = $1 and subject ->> 'key' = 'notifyChangeWaiting'",
    [workspace.id],
  );
  expect(rows).toEqual([{ user_id: workspace.approver.id }]);
});
