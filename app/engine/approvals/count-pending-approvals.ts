import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { isForMember, mayDecide } from '#app/engine/approvals/find-next-approval.ts';
import { isDutyOfAnother } from '#app/engine/approvals/work/whose.ts';
import { countWaitingChanges } from '#app/engine/control/waiting-changes.ts';
import { countWaitingTasks } from '#app/engine/runs/waiting-tasks.ts';

/** Counting ends here: an inbox with more shows as this many and a plus. */
export const PENDING_COUNT_LIMIT = 100;

/** How much waits for this member in their inbox, at most PENDING_COUNT_LIMIT: approvals, as below, and forms to fill in. */
export async function countWaiting(db: Db, member: { userId: string; roles: readonly Role[] }): Promise<number> {
  const approvals = await countPendingApprovals(db, member);
  return Math.min(PENDING_COUNT_LIMIT, approvals + (await countWaitingTasks(db, PENDING_COUNT_LIMIT)));
}

/**
 * How many approvals wait for this member, at most PENDING_COUNT_LIMIT: those they may decide, by the same rules as the vote, and that
 * are not another's duty; and the control changes that they can agree to.
 * Asked with every page of the app area, so it costs nothing for who decides nothing.
 */
export async function countPendingApprovals(db: Db, member: { userId: string; roles: readonly Role[] }): Promise<number> {
  const changes = await countWaitingChanges(db, member, PENDING_COUNT_LIMIT);
  if (!mayDecide(member.roles)) return changes;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from quorate.approvals a where ${isForMember(member)} and not ${isDutyOfAnother(member.userId)} limit ${PENDING_COUNT_LIMIT}) open`.execute(
    db,
  );
  return Math.min(PENDING_COUNT_LIMIT, changes + (rows[0]?.count ?? 0));
}
