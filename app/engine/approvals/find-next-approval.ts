import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { type ApprovalFilter, fitsFilter, NO_FILTER } from '#app/engine/approvals/approval-filter.ts';
import { isDutyOf, isNobodysDuty } from '#app/engine/approvals/work/whose.ts';

export type Decider = { userId: string; roles: readonly Role[] };

/**
 * Of `quorate.approvals a`: those that wait for this member's decision, by the same rules as the vote. Votes are looked up where one does not
 * decide: on others that are open there is none.
 */
export function isForMember({ userId, roles }: Decider) {
  return sql<boolean>`(a.workspace_id = quorate.current_workspace_id() and a.status = 'pending' and a.due_at > statement_timestamp()
    and a.role = any (${[...roles]}::text[]) and (a.groups is null or not quorate.outside_groups_here(a)) and a.requested_by <> ${userId} and a.version_author_id <> ${userId}
    and not exists (select from quorate.runs r where r.id = a.run_id and r.initiator_id = ${userId})
    and (a.quorum = 1 or not exists (select from quorate.approval_votes v where v.approval_id = a.id and v.user_id = ${userId})))`;
}

/** Whether approvals may wait for a member with these roles. */
export const mayDecide = (roles: readonly Role[]): boolean => roles.includes('approver') || roles.includes('admin');

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
  if (!mayDecide(member.roles)) return null;
  const { userId } = member;
  const fits = sql<boolean>`(${isForMember(member)} and ${fitsFilter(filter, userId)})`;
  const own = isDutyOf(userId);
  // whoever filters by a member looks for what is that member's
  const open = filter.assigned === '' ? isNobodysDuty : sql<boolean>`(${own} is not true)`;
  const shown = after === null ? undefined : await findShown(db, after);
  const places =
    shown === undefined
      ? [sql<boolean>`true`]
      : [
          sql<boolean>`(a.due_at >= ${shown.due}::timestamptz
            and (a.due_at > ${shown.due}::timestamptz or (a.created_at, a.id) < (${shown.created}::timestamptz, ${shown.id}::uuid)))`,
          sql<boolean>`a.id <> ${shown.id}`,
        ];
  // One after the other: the first of them nearly always finds it, and to plan all at once takes longer than to run them.
  for (const whose of [own, open])
    for (const place of places) {
      const { rows } = await sql<{ id: string }>`select a.id from quorate.approvals a where ${whose} and ${fits} and ${place}
        order by a.due_at, a.created_at desc, a.id desc limit 1`.execute(db);
      if (rows[0] !== undefined) return rows[0].id;
    }
  return null;
}

/** Where the approval stands that is shown, in the words of the database, which are finer than a date of JavaScript. */
function findShown(db: Db, id: string) {
  return db
    .selectFrom('quorate.approvals')
    .select(['id', sql<string>`due_at::text`.as('due'), sql<string>`created_at::text`.as('created')])
    .where('id', '=', id)
    .executeTakeFirst();
}
