/** Whose duty an approval is: who may assign it and to whom, what is said of it, and that it gives nobody a vote. */
import { sql } from 'kysely';
import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AuditEntry } from '#app/contracts/audit-actions.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Principal } from '#app/contracts/principals.ts';
import { NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import { AssignRefused } from '#app/engine/approvals/work/assign-refused.ts';
import { recordEvent } from '#app/engine/audit/record-event.ts';
import { assignApproval } from '#app/engine/commands/approvals/assign-approval.ts';
import { claimApproval } from '#app/engine/commands/approvals/claim-approval.ts';
import { returnApproval } from '#app/engine/commands/approvals/return-approval.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { createTestDatabase, type TestDatabase, type TestMember } from '#tests/support/test-database.ts';

let test: TestDatabase;
let workspaceId: string;
let stranger: { member: TestMember; workspaceId: string };
let people: Record<'initiator' | 'author' | 'ada' | 'ben' | 'admin' | 'plain', TestMember>;

beforeAll(async () => {
  test = await createTestDatabase();
  const approver = (name: string) => ({ roles: ['user', 'approver'] as TestMember['roles'], name });
  const workspace = await test.makeWorkspace({
    members: [
      approver('Ines'),
      { roles: ['user', 'builder', 'approver'], name: 'Otto' },
      approver('Ada'),
      approver('Ben'),
      { roles: ['user', 'admin'], name: 'Anna' },
      { roles: ['user', 'auditor'], name: 'Paul' },
    ],
  });
  workspaceId = workspace.id;
  const [initiator, author, ada, ben, admin, plain] = workspace.members;
  if (!initiator || !author || !ada || !ben || !admin || !plain) throw new Error('no members');
  people = { initiator, author, ada, ben, admin, plain };
  const other = await test.makeWorkspace({ members: [approver('Zoe')] });
  const [member] = other.members;
  if (!member) throw new Error('no member');
  stranger = { member, workspaceId: other.id };
});
afterAll(() => test.close());

async function makeApproval(dueInSeconds = 3600): Promise<string> {
  const [artifact, version, run, approval] = [newId(), newId(), newId(), newId()];
  await test.arrange(workspaceId, async (client) => {
    await client.query(`insert into quorate.artifacts (id, workspace_id, kind, name, owner_id) values ($1, $2, 'workflow', 'Flow', $3)`, [
      artifact,
      workspaceId,
      people.author.id,
    ]);
    await client.query(
      `insert into quorate.versions (id, workspace_id, artifact_id, number, document, content_hash, author_id) values ($1, $2, $3, 1, '{}', 'h', $4)`,
      [version, workspaceId, artifact, people.author.id],
    );
    await client.query(
      `insert into quorate.runs (id, workspace_id, artifact_id, version_id, mode, initiator_id, status) values ($1, $2, $3, $4, 'live', $5, 'waiting')`,
      [run, workspaceId, artifact, version, people.initiator.id],
    );
    await client.query(
      `insert into quorate.approvals (id, workspace_id, run_id, step_path, title, subject, action_digest, reason, risk, requested_by, version_author_id, due_at)
       values ($1, $2, $3, 'send', 'Send it', '{}', 'd', '{"key":"policyAllowed","values":{}}', 'medium', $4, $5, clock_timestamp() + make_interval(secs => $6))`,
      [approval, workspaceId, run, people.initiator.id, people.author.id, dueInSeconds],
    );
  });
  return approval;
}

function as<T>(member: TestMember, work: (db: Db) => Promise<T>, workspace = workspaceId): Promise<T> {
  return test.database.asMember({ userId: member.id, sessionId: member.sessionId, workspaceId: workspace }, work);
}

/** Each change commits with its one event, as the application does it. */
const principal = (member: TestMember, workspace = workspaceId): Principal => ({
  workspace: { id: workspace, name: 'Workspace' },
  userId: member.id,
  name: member.name,
  roles: member.roles,
  scopes: null,
  read: (work) => as(member, work, workspace),
  change: <T>(work: (db: Db) => Promise<{ result: T; event: AuditEntry }>) =>
    as(
      member,
      async (db) => {
        const { result, event } = await work(db);
        await recordEvent(db, {
          id: newId(),
          actor: { kind: 'member', id: member.id, name: member.name },
          workspaceId: workspace,
          entry: event,
        });
        return result;
      },
      workspace,
    ),
});
const deps = { newId, now: () => new Date(), engine: {} } as unknown as Parameters<typeof perform>[2];
const assign = (by: TestMember, approval: string, to: TestMember, seen: TestMember | null = null, workspace = workspaceId) =>
  perform(assignApproval, principal(by, workspace), deps, { approval, to: to.id, seen: seen?.id ?? null });
const claim = (by: TestMember, approval: string, seen: TestMember | null = null) =>
  perform(claimApproval, principal(by), deps, { approval, seen: seen?.id ?? null });
const giveBack = (by: TestMember, approval: string, seen: TestMember) =>
  perform(returnApproval, principal(by), deps, { approval, seen: seen.id });

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AssignRefused) return error.refusal;
    throw error;
  }
  return 'assigned';
}

const holderOf = async (approval: string) => {
  const { rows } = await test.owner.query<{ holder: string | null }>(
    'select quorate.approval_holder(a) as holder from quorate.approvals a where id = $1',
    [approval],
  );
  return rows[0]?.holder ?? null;
};
const noticesOf = async (member: TestMember, approval: string) => {
  const { rows } = await test.owner.query<{ said: string }>(
    `select subject ->> 'key' || case when read_at is null then '' else ' read' end as said from quorate.notifications
     where user_id = $1 and subject #>> '{about,id}' = $2 order by created_at, id`,
    [member.id, approval],
  );
  return rows.map(({ said }) => said);
};
const eventsOf = async (approval: string) => {
  const { rows } = await test.owner.query(
    `select action, actor_id, payload ->> 'to' as to from quorate.audit_events where resource_id = $1 order by at, id`,
    [approval],
  );
  return rows;
};
const withdraw = (approval: string) =>
  test.arrange(workspaceId, async (client) => {
    await client.query(`update quorate.approvals set status = 'withdrawn' where id = $1`, [approval]);
  });
const setRoles = (member: TestMember, roles: string[]) =>
  test.arrange(workspaceId, async (client) => {
    await client.query('update quorate.members set roles = $1 where workspace_id = $2 and user_id = $3', [roles, workspaceId, member.id]);
  });

it('is one member’s duty once somebody has assigned it, who is told, until it is given back; each is one event', async () => {
  const approval = await makeApproval();
  await assign(people.admin, approval, people.ada);
  expect(await holderOf(approval)).toBe(people.ada.id);
  expect(await noticesOf(people.ada, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned']);
  await assign(people.ada, approval, people.ben, people.ada);
  expect(await noticesOf(people.ada, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned read']);
  expect(await noticesOf(people.ben, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned']);
  await giveBack(people.ben, approval, people.ben);
  expect(await holderOf(approval)).toBeNull();
  // Nobody is told of what they take themselves.
  await claim(people.ben, approval);
  expect(await noticesOf(people.ben, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned read']);
  expect(await eventsOf(approval)).toEqual([
    { action: 'approval.assigned', actor_id: people.admin.id, to: people.ada.id },
    { action: 'approval.assigned', actor_id: people.ada.id, to: people.ben.id },
    { action: 'approval.returned', actor_id: people.ben.id, to: null },
    { action: 'approval.claimed', actor_id: people.ben.id, to: people.ben.id },
  ]);
});

it('goes to none who could not decide it, and says why', async () => {
  const approval = await makeApproval();
  expect(await refusal(assign(people.ada, approval, people.initiator))).toBe('memberRequester');
  expect(await refusal(assign(people.ada, approval, people.author))).toBe('memberAuthor');
  expect(await refusal(assign(people.ada, approval, people.plain))).toBe('memberRole');
  expect(await refusal(assign(people.ada, approval, stranger.member))).toBe('memberRole');
  expect(await refusal(claim(people.admin, approval))).toBe('memberRole');
  expect(await eventsOf(approval)).toEqual([]);
});

it('is assigned by none without the role, nor from another workspace, nor once it is closed or late', async () => {
  const approval = await makeApproval();
  expect(await refusal(assign(people.plain, approval, people.ada))).toBe('role');
  expect(await refusal(assign(stranger.member, approval, stranger.member, null, stranger.workspaceId))).toBe('unknown');
  expect(await refusal(assign(people.ada, await makeApproval(-1), people.ada))).toBe('late');
  await withdraw(approval);
  expect(await refusal(claim(people.ada, approval))).toBe('closed');
});

it('is taken by one of two who claim it at once; the other one is told', async () => {
  const approval = await makeApproval();
  const outcomes = await Promise.all([refusal(claim(people.ada, approval)), refusal(claim(people.ben, approval))]);
  expect(outcomes.toSorted()).toEqual(['assigned', 'meanwhile']);
  expect(await eventsOf(approval)).toHaveLength(1);
});

it('falls back to everyone with the role when who has it loses that, and no member writes it past the function', async () => {
  const approval = await makeApproval();
  await claim(people.ben, approval);
  await setRoles(people.ben, ['user']);
  expect(await holderOf(approval)).toBeNull();
  await setRoles(people.ben, ['user', 'approver']);
  expect(await holderOf(approval)).toBe(people.ben.id);
  await expect(
    as(people.ben, (db) => sql`update quorate.approvals set assigned_to = ${people.ada.id} where id = ${approval}`.execute(db)),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

it('stands first for who has it, is counted for no other, and may be decided by others all the same', async () => {
  const { rows: open } = await test.owner.query<{ id: string }>(`select id from quorate.approvals where status = 'pending'`);
  for (const { id } of open) await withdraw(id);
  const soon = await makeApproval(60);
  const later = await makeApproval(900_000_000);
  await claim(people.ada, later);
  const next = (member: TestMember, after: string | null, assigned = '') =>
    as(member, (db) => findNextApproval(db, { userId: member.id, roles: member.roles }, after, { ...NO_FILTER, assigned }));
  const count = (member: TestMember) => as(member, (db) => countPendingApprovals(db, { userId: member.id, roles: member.roles }));
  expect(await next(people.ada, null)).toBe(later);
  expect(await next(people.ben, null)).toBe(soon);
  expect(await next(people.ben, null, people.ada.id)).toBe(later);
  expect(await next(people.ben, null, 'me')).toBeNull();
  const before = await count(people.ben);
  await giveBack(people.ada, later, people.ada);
  expect(await count(people.ben)).toBe(before + 1);
  await claim(people.ada, later);
  const mayVote = await as(people.ben, (db) =>
    sql<{ why: string | null }>`select quorate.my_approval_refusal(${later}) as why`.execute(db),
  );
  expect(mayVote.rows).toEqual([{ why: null }]);
});

it('says of each member what a vote would say', async () => {
  const approval = await makeApproval();
  for (const member of [people.initiator, people.author, people.ada, people.plain]) {
    const { rows } = await as(member, (db) =>
      sql<{ vote: string | null; could: string | null }>`select quorate.my_approval_refusal(a.id) as vote,
        quorate.decider_refusal(a, ${member.id}) as could from quorate.approvals a where a.id = ${approval}`.execute(db),
    );
    expect(rows[0]?.could, member.name).toBe(rows[0]?.vote);
  }
});

it('is reminded of once before it is due: who has it, then everyone who could decide; nothing else changes', async () => {
  const approval = await makeApproval(3600);
  await claim(people.ada, approval);
  const remind = () => test.database.app((db) => sql`select quorate.remind_approvals()`.execute(db));
  const left = (seconds: number) =>
    test.owner.query(
      `update quorate.approvals set due_at = clock_timestamp() + make_interval(secs => $2), created_at = clock_timestamp() + make_interval(secs => $2 - 3600),
         remind_at = clock_timestamp() + make_interval(secs => $2 - 3600 / case reminders when 0 then 4 else 16 end) where id = $1`,
      [approval, seconds],
    );
  const told = async () =>
    Promise.all([people.ada, people.ben, people.initiator, people.author].map((member) => noticesOf(member, approval)));
  const said = await told();
  await left(1000);
  await remind();
  expect(await told()).toEqual(said);
  await left(800);
  await Promise.all([remind(), remind()]);
  const due = [[...(said[0] ?? []), 'notifyApprovalDue'], ...said.slice(1)];
  expect(await told()).toEqual(due);
  await left(200);
  await Promise.all([remind(), remind()]);
  await remind();
  expect(await told()).toEqual([
    [...(due[0] ?? []), 'notifyApprovalUndecided'],
    [...(due[1] ?? []), 'notifyApprovalUndecided'],
    ...due.slice(2),
  ]);
  const { rows } = await test.owner.query('select status, reminders, remind_at from quorate.approvals where id = $1', [approval]);
  expect(rows).toEqual([{ status: 'pending', reminders: 2, remind_at: null }]);
  await withdraw(approval);
  expect((await told()).flat().filter((notice) => !notice.endsWith(' read'))).toEqual([]);
});
