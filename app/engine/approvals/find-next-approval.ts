import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { type ApprovalFilter, fitsFilter, NO_FILTER } from '#app/engine/approvals/approval-filter.ts';

export type Decider = { userId: string; roles: readonly Role[] };

/** Of `quorate.approvals a`: those that wait for this member's decision, by the same rules as the vote. */
export function isForMember({ userId, roles }: Decider) {
  return sql<boolean>`(a.workspace_id = quorate.current_workspace_id() and a.status = 'pending' and a.due_at > statement_timestamp()
    and a.role = any (${[...roles]}::text[]) and a.requested_by <> ${userId} and a.version_author_id <> ${userId}
    and not exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = ${userId})
    and not exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = ${userId}))`;
}

/**
 * The approval that this member decides next: the first due behind `after`, in the order of the inbox, else the first due of all others
 * that fit the filter. Null where nothing else waits for them.
 */
export async function findNextApproval(
  db: Db,
  member: Decider,
  after: string | null,
  filter: ApprovalFilter = NO_FILTER,
): Promise<string | null> {
  if (!member.roles.includes('approver')) return null;
  const { rows } = await sql<{ id: string }>`
    with shown as (select due_at, created_at, id from quorate.approvals where id = ${after}::uuid),
    behind as (
      select a.id, 0 as place from quorate.approvals a, shown s
      where ${isForMember(member)} and ${fitsFilter(filter)} and a.id <> s.id and a.due_at >= s.due_at
        and (a.due_at > s.due_at or (a.created_at, a.id) < (s.created_at, s.id))
      order by a.due_at, a.created_at desc, a.id desc limit 1),
    others as (
      select a.id, 1 as place from quorate.approvals a
      where ${isForMember(member)} and ${fitsFilter(filter)} and a.id is distinct from ${after}::uuid
      order by a.due_at, a.created_at desc, a.id desc limit 1)
    select id from (select * from behind union all select * from others) found order by place limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
