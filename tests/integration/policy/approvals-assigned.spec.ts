/** Whose duty an approval is: who may assign it and to whom, what is said of it, and that it gives nobody a vote. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import { AssignRefused } from '#app/engine/approvals/work/assign-refused.ts';
import { holder } from '#app/engine/approvals/work/whose.ts';
import { assignApproval } from '#app/engine/commands/approvals/assign-approval.ts';
import { claimApproval } from '#app/engine/commands/approvals/claim-approval.ts';
import { returnApproval } from '#app/engine/commands/approvals/return-approval.ts';
import { perform } from '#app/engine/commands/perform.ts';
import { type ApprovalDesk, openApprovalDesk } from '#tests/integration/support/approval-desk.ts';
import type { TestMember } from '#tests/support/test-database.ts';

let desk: ApprovalDesk;
beforeAll(async () => {
  desk = await openApprovalDesk();
});
afterAll(() => desk.test.close());

const assign = (by: TestMember, approval: string, to: TestMember, seen: TestMember | null = null, workspace = desk.workspaceId) =>
  perform(assignApproval, desk.principal(by, workspace), desk.deps, { approval, to: to.id, seen: seen?.id ?? null });
const claim = (by: TestMember, approval: string, seen: TestMember | null = null) =>
  perform(claimApproval, desk.principal(by), desk.deps, { approval, seen: seen?.id ?? null });
const giveBack = (by: TestMember, approval: string, seen: TestMember) =>
  perform(returnApproval, desk.principal(by), desk.deps, { approval, seen: seen.id });

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AssignRefused) return error.refusal;
    throw error;
  }
  return 'assigned';
}

it('is one member’s duty once somebody has assigned it, who is told, until it is given back; each is one event', async () => {
  const approval = await desk.makeApproval();
  await assign(desk.people.admin, approval, desk.people.ada);
  expect(await desk.holderOf(approval)).toBe(desk.people.ada.id);
  expect(await desk.noticesOf(desk.people.ada, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned']);
  await assign(desk.people.ada, approval, desk.people.ben, desk.people.ada);
  expect(await desk.noticesOf(desk.people.ada, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned read']);
  expect(await desk.noticesOf(desk.people.ben, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned']);
  await giveBack(desk.people.ben, approval, desk.people.ben);
  expect(await desk.holderOf(approval)).toBeNull();
  // Nobody is told of what they take themselves.
  await claim(desk.people.ben, approval);
  expect(await desk.noticesOf(desk.people.ben, approval)).toEqual(['notifyApprovalWaiting', 'notifyApprovalAssigned read']);
  expect(await desk.eventsOf(approval)).toEqual([
    { action: 'approval.assigned', actor_id: desk.people.admin.id, to: desk.people.ada.id },
    { action: 'approval.assigned', actor_id: desk.people.ada.id, to: desk.people.ben.id },
    { action: 'approval.returned', actor_id: desk.people.ben.id, to: null },
    { action: 'approval.claimed', actor_id: desk.people.ben.id, to: desk.people.ben.id },
  ]);
});

it('goes to none who could not decide it, and says why', async () => {
  const approval = await desk.makeApproval();
  expect(await refusal(assign(desk.people.ada, approval, desk.people.initiator))).toBe('memberRequester');
  expect(await refusal(assign(desk.people.ada, approval, desk.people.author))).toBe('memberAuthor');
  expect(await refusal(assign(desk.people.ada, approval, desk.people.plain))).toBe('memberRole');
  expect(await refusal(assign(desk.people.ada, approval, desk.stranger.member))).toBe('memberRole');
  expect(await refusal(claim(desk.people.admin, approval))).toBe('memberRole');
  expect(await desk.eventsOf(approval)).toEqual([]);
});

it('is assigned by none without the role, nor from another workspace, nor once it is closed or late', async () => {
  const approval = await desk.makeApproval();
  expect(await refusal(assign(desk.people.plain, approval, desk.people.ada))).toBe('role');
  expect(await refusal(assign(desk.stranger.member, approval, desk.stranger.member, null, desk.stranger.workspaceId))).toBe('unknown');
  expect(await refusal(assign(desk.people.ada, await desk.makeApproval(-1), desk.people.ada))).toBe('late');
  await desk.withdraw(approval);
  expect(await refusal(claim(desk.people.ada, approval))).toBe('closed');
});

it('is taken by one of two who claim it at once; the other one is told', async () => {
  const approval = await desk.makeApproval();
  const outcomes = await Promise.all([refusal(claim(desk.people.ada, approval)), refusal(claim(desk.people.ben, approval))]);
  expect(outcomes.toSorted()).toEqual(['assigned', 'meanwhile']);
  expect(await desk.eventsOf(approval)).toHaveLength(1);
});

it('falls back to everyone with the role when who has it loses that, and no member writes it past the function', async () => {
  const approval = await desk.makeApproval();
  await claim(desk.people.ben, approval);
  await desk.setRoles(desk.people.ben, ['user']);
  expect(await desk.holderOf(approval)).toBeNull();
  await desk.setRoles(desk.people.ben, ['user', 'approver']);
  expect(await desk.holderOf(approval)).toBe(desk.people.ben.id);
  await expect(
    desk.as(desk.people.ben, (db) =>
      sql`update quorate.approvals set assigned_to = ${desk.people.ada.id} where id = ${approval}`.execute(db),
    ),
  ).rejects.toMatchObject({ code: 'forbidden' });
});

it('stands first for who has it, is counted for no other, and may be decided by others all the same', async () => {
  const { rows: open } = await desk.test.owner.query<{ id: string }>(`select id from quorate.approvals where status = 'pending'`);
  for (const { id } of open) await desk.withdraw(id);
  const soon = await desk.makeApproval(60);
  const later = await desk.makeApproval(900_000_000);
  await claim(desk.people.ada, later);
  const next = (member: TestMember, after: string | null, assigned = '') =>
    desk.as(member, (db) => findNextApproval(db, { userId: member.id, roles: member.roles }, after, { ...NO_FILTER, assigned }));
  const count = (member: TestMember) => desk.as(member, (db) => countPendingApprovals(db, { userId: member.id, roles: member.roles }));
  expect(await next(desk.people.ada, null)).toBe(later);
  expect(await next(desk.people.ben, null)).toBe(soon);
  expect(await next(desk.people.ben, null, desk.people.ada.id)).toBe(later);
  expect(await next(desk.people.ben, null, 'me')).toBeNull();
  const before = await count(desk.people.ben);
  await giveBack(desk.people.ada, later, desk.people.ada);
  expect(await count(desk.people.ben)).toBe(before + 1);
  await claim(desk.people.ada, later);
  const mayVote = await desk.as(desk.people.ben, (db) =>
    sql<{ why: string | null }>`select quorate.my_approval_refusal(${later}) as why`.execute(db),
  );
  expect(mayVote.rows).toEqual([{ why: null }]);
});

it('says of each member what a vote would say', async () => {
  const approval = await desk.makeApproval();
  for (const member of [desk.people.initiator, desk.people.author, desk.people.ada, desk.people.plain]) {
    const { rows } = await desk.as(member, (db) =>
      sql<{ vote: string | null; could: string | null }>`select quorate.my_approval_refusal(a.id) as vote,
        quorate.decider_refusal_here(a, ${member.id}) as could from quorate.approvals a where a.id = ${approval}`.execute(db),
    );
    expect(rows[0]?.could, member.name).toBe(rows[0]?.vote);
  }
});

it('is found for a whole list as the database finds it for one: who asked, wrote, has voted, is away, has no role or is no member', async () => {
  const { ada, ben, initiator, author, plain } = desk.people;
  const everyone = [initiator, author, ada, ben, plain, desk.stranger.member];
  await desk.test.arrange(desk.workspaceId, async (client) => {
    await client.query(
      `insert into quorate.deputies (id, workspace_id, user_id, deputy_id, from_at, until_at, named_by)
       values (gen_random_uuid(), $1, $2, $3, now() - interval '1 day', now() + interval '1 day', $2)`,
      [desk.workspaceId, ben.id, ada.id],
    );
  });
  const made: string[] = [];
  for (const { id } of everyone)
    for (const voted of [false, true]) {
      const approval = await desk.makeApproval();
      made.push(approval);
      await desk.test.arrange(desk.workspaceId, async (client) => {
        await client.query('update quorate.approvals set assigned_to = $2, quorum = $3 where id = $1', [approval, id, voted ? 2 : 1]);
        if (voted)
          await client.query(
            `insert into quorate.approval_votes (workspace_id, approval_id, user_id, voter_name, vote, action_digest, method)
             values ($1, $2, $3, 'X', 'approve', 'd', 'session')`,
            [desk.workspaceId, approval, id],
          );
      });
    }
  const { rows } = await desk.as(ada, (db) =>
    sql<{ listed: string | null; one: string | null }>`select ${holder} as listed, quorate.holder_here(a) as one
      from quorate.approvals a where a.id = any (${made}::uuid[]) order by array_position(${made}::uuid[], a.id)`.execute(db),
  );
  expect(rows.map(({ listed }) => listed)).toEqual(rows.map(({ one }) => one));
  // Ada has her own and Ben’s, whose deputy she is; what either of them has voted on is everyone’s.
  expect(rows.map(({ listed }) => listed === ada.id)).toEqual([...Array(4).fill(false), true, false, true, false, ...Array(4).fill(false)]);
  await desk.test.owner.query('delete from quorate.deputies');
});
