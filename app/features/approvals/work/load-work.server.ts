import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { refusalOf, type VoteRefusal } from '#app/engine/approvals/vote-refusal.ts';

/** As many are listed. */
const MOST_PEOPLE = 500;

/** A member who could decide (`refusal` null), or who could not and why. */
export type WorkPerson = { id: string; name: string; refusal: VoteRefusal | null };

/**
 * Whose duty an open approval is, and who could take it: `assigned` is the member it was given to, `name` null for one who has left;
 * `holder` the one whose duty it is, null where it is everyone's who may decide.
 */
export async function loadWork(db: Db, approval: { id: string; status: string }, userId: string) {
  if (approval.status !== 'pending') return null;
  const { rows } = await sql<WorkRow>`
    select a.assigned_to, quorate.approval_holder(a) as holder, quorate.my_assign_refusal(a.id) is null as may_assign,
      (select m.name from quorate.members m where m.workspace_id = a.workspace_id and m.user_id = a.assigned_to) as assigned_name
    from quorate.approvals a where a.id = ${approval.id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const people = await readPeople(db, approval.id);
  return {
    assigned: row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name },
    holder: row.holder,
    isMine: row.holder === userId,
    mayAssign: row.may_assign,
    mayClaim: row.may_assign && row.holder !== userId && people.some(({ id, refusal }) => id === userId && refusal === null),
    people,
  };
}
export type LoadedWork = NonNullable<Awaited<ReturnType<typeof loadWork>>>;

type WorkRow = { assigned_to: string | null; holder: string | null; may_assign: boolean; assigned_name: string | null };

/** The name of the member whose duty it is, where it is none of these. */
export async function readOtherHolder(db: Db, approvalId: string, known: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ id: string; name: string }>`
    select m.user_id as id, m.name from quorate.approvals a
    join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = quorate.approval_holder(a)
    where a.id = ${approvalId} and a.assigned_to is not null`.execute(db);
  const [row] = rows;
  return row === undefined || known.includes(row.id) ? null : row.name;
}

async function readPeople(db: Db, approvalId: string): Promise<WorkPerson[]> {
  const { rows } = await sql<{ id: string; name: string; state: string | null }>`
    select m.user_id as id, m.name, quorate.decider_refusal(a, m.user_id) as state
    from quorate.approvals a join quorate.members m on m.workspace_id = a.workspace_id
    where a.id = ${approvalId} and (a.role = any (m.roles) or m.user_id in (a.requested_by, a.version_author_id, a.assigned_to))
    order by m.name, m.user_id limit ${MOST_PEOPLE}`.execute(db);
  return rows.map(({ id, name, state }) => ({ id, name, refusal: refusalOf(state) }));
}
