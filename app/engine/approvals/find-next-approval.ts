import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { type ApprovalFilter, fitsFilter, NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { isDutyOf, isDutyOfAnother } from '#app/engine/approvals/work/whose.ts';

export type Decider = { userId: string; roles: readonly Role[] };

/** Of `quorate.approvals a`: those that wait for this member's decision, by the same rules as the vote. */
export function isForMember({ userId, roles }: Decider) {
  return sql<boolean>`(a.workspace_id = quorate.current_workspace_id() and a.status = 'pending' and a.due_at > statement_timestamp()
    and a.role = any (${[...roles]}::text[]) and a.requested_by <> ${userId} and a.version_author_id <> ${userId}
    and not exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = ${userId})
    and not exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = ${userId}))`;
}

/**
 * The approval that this member decides next, of those that fit the filter: first their own duty, then what nobody has taken; of each the
 * first due behind `after`, in the order of the inbox, else the first due. Null where nothing else waits for them.
 */
export async function findNextApproval(
  db: Db,
  member: Decider,
  after: string | null,
  filter: ApprovalFilter = NO_FILTER,
): Promise<string | null> {
  if (!member.roles.includes('approver')) return null;
  const { userId } = member;
  const fits = sql<boolean>`(${isForMember(member)} and ${fitsFilter(filter, userId)})`;
  const own = sql<boolean>`(${isDutyOf(userId)} and ${fits})`;
  // whoever filters by a member looks for what is that member's
  const open = sql<boolean>`(${fits} and ${isDutyOf(userId)} is not true and ${filter.assigned === '' ? sql`not ${isDutyOfAnother(userId)}` : sql`true`})`;
  const order = sql`order by a.due_at, a.created_at desc, a.id desc limit 1`;
  const behind = sql<boolean>`a.id <> s.id and a.due_at >= s.due_at and (a.due_at > s.due_at or (a.created_at, a.id) < (s.created_at, s.id))`;
  const { rows } = await sql<{ id: string }>`
    with shown as (select due_at, created_at, id from quorate.approvals where id = ${after}::uuid),
    own_behind as (select a.id, 0 as place from quorate.approvals a, shown s where ${own} and ${behind} ${order}),
    own_others as (select a.id, 1 as place from quorate.approvals a where ${own} and a.id is distinct from ${after}::uuid ${order}),
    behind as (select a.id, 2 as place from quorate.approvals a, shown s where ${open} and ${behind} ${order}),
    others as (select a.id, 3 as place from quorate.approvals a where ${open} and a.id is distinct from ${after}::uuid ${order})
    select id from (table own_behind union all table own_others union all table behind union all table others) found
    order by place limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
