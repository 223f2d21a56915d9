import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { refusalOf, type VoteRefusal } from '#app/engine/approvals/vote-refusal.ts';
import { isAway } from '#app/engine/approvals/work/whose.ts';

/** As many are listed. */
const MOST_PEOPLE = 500;

/** A member who could decide (`refusal` null), or who could not and why. `away`: until when, and who stands in. */
export type WorkPerson = { id: string; name: string; refusal: VoteRefusal | null; away: { until: string; deputy: string } | null };

/**
 * Whose duty an open approval is, and who could take it: `assigned` is the member it was given to, `name` null for one who has left, `away`
 * until when they are; `holder` the one whose duty it is, null where it is everyone's who may decide; `told` who was told that nobody had
 * decided, and when.
 */
export async function loadWork(db: Db, approval: { id: string; status: string }, userId: string) {
  if (approval.status !== 'pending') return null;
  const { rows } = await sql<WorkRow>`
    select a.assigned_to, h.user_id as holder, h.name as holder_name, quorate.my_assign_refusal(a.id) is null as may_assign,
      m.name as assigned_name, d.until_at, a.deputy_told_at, t.name as deputy_told, a.role_told_at
    from quorate.approvals a
    left join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = a.assigned_to
    left join quorate.members h on h.workspace_id = a.workspace_id and h.user_id = quorate.holder_here(a)
    left join quorate.members t on t.workspace_id = a.workspace_id and t.user_id = a.deputy_told
    left join quorate.deputies d on d.workspace_id = a.workspace_id and d.user_id = a.assigned_to and ${isAway}
    where a.id = ${approval.id}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  const people = await readPeople(db, approval.id);
  return {
    assigned: row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name, awayUntil: iso(row.until_at) },
    holder: row.holder,
    holderName: row.holder_name,
    isMine: row.holder === userId,
    mayAssign: row.may_assign,
    mayClaim: row.may_assign && row.holder !== userId && people.some(({ id, refusal }) => id === userId && refusal === null),
    people,
    told: { deputy: row.deputy_told, deputyAt: iso(row.deputy_told_at), roleAt: iso(row.role_told_at) },
  };
}
export type LoadedWork = NonNullable<Awaited<ReturnType<typeof loadWork>>>;

type WorkRow = {
  assigned_to: string | null;
  holder: string | null;
  holder_name: string | null;
  may_assign: boolean;
  assigned_name: string | null;
  until_at: Date | null;
  deputy_told: string | null;
  deputy_told_at: Date | null;
  role_told_at: Date | null;
};

const iso = (time: Date | null) => time?.toISOString() ?? null;

/** The name of the member whose duty it is, where it is none of these. */
export async function readOtherHolder(db: Db, approvalId: string, known: readonly string[]): Promise<string | null> {
  const { rows } = await sql<{ id: string; name: string }>`
    select m.user_id as id, m.name from quorate.approvals a
    join quorate.members m on m.workspace_id = a.workspace_id and m.user_id = quorate.holder_here(a)
    where a.id = ${approvalId} and a.assigned_to is not null`.execute(db);
  const [row] = rows;
  return row === undefined || known.includes(row.id) ? null : row.name;
}

async function readPeople(db: Db, approvalId: string): Promise<WorkPerson[]> {
  const { rows } = await sql<{ id: string; name: string; state: string | null; until_at: Date | null; deputy: string | null }>`
    select m.user_id as id, m.name, quorate.decider_refusal_here(a, m.user_id) as state, d.until_at, p.name as deputy
    from quorate.approvals a join quorate.members m on m.workspace_id = a.workspace_id
    left join quorate.deputies d on d.workspace_id = m.workspace_id and d.user_id = m.user_id and ${isAway}
    left join quorate.members p on p.workspace_id = m.workspace_id and p.user_id = d.deputy_id
    where a.id = ${approvalId} and (a.role = any (m.roles) or m.user_id in (a.requested_by, a.version_author_id, a.assigned_to))
    order by m.name, m.user_id limit ${MOST_PEOPLE}`.execute(db);
  return rows.map(({ id, name, state, until_at: until, deputy }) => ({
    id,
    name,
    refusal: refusalOf(state),
    away: until === null ? null : { until: until.toISOString(), deputy: deputy ?? '' },
  }));
}
