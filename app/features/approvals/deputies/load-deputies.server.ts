import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { v7 as newId } from 'uuid';
import { memberContext } from '#app/contracts/request-context.ts';

/** As many are listed. */
const MOST = 500;

type Row = { id: string; user_id: string; name: string; deputy_id: string; deputy: string; from_at: Date | null; until_at: Date | null };
type Deputy = Row & { reason: string; is_now: boolean };

/** Deputies of now and later, and the members for whom this one may name a deputy. */
export async function loadDeputies(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const isAdmin = member.roles.includes('admin');
  const { rows, approvers } = await read(async (db) => ({
    rows: (
      await sql<Deputy>`
        select d.id, d.user_id, m.name, d.deputy_id, p.name as deputy, d.from_at, d.until_at, d.reason,
          d.from_at is not null and d.from_at <= statement_timestamp() as is_now
        from quorate.deputies d
        join quorate.members m on m.workspace_id = d.workspace_id and m.user_id = d.user_id
        join quorate.members p on p.workspace_id = d.workspace_id and p.user_id = d.deputy_id
        where d.workspace_id = ${member.workspace.id} and d.ended_at is null
          and (d.until_at is null or d.until_at > statement_timestamp())
        order by d.from_at nulls last, m.name, d.id limit ${MOST}`.execute(db)
    ).rows,
    approvers: await db
      .selectFrom('quorate.members as m')
      .select(['m.user_id as id', 'm.name'])
      .where('m.workspace_id', '=', member.workspace.id)
      .where(sql<boolean>`'approver' = any (m.roles)`)
      .orderBy('m.name')
      .limit(MOST)
      .execute(),
  }));
  const isApprover = member.roles.includes('approver');
  return {
    id: newId(),
    me: member.userId,
    /** Members for whom a deputy may be named here; their deputies are the approvers. */
    users: isAdmin ? approvers : isApprover ? approvers.filter(({ id }) => id === member.userId) : [],
    approvers,
    rows: rows.map((row) => ({
      id: row.id,
      name: row.name,
      deputy: row.deputy,
      reason: row.reason,
      isNow: row.is_now,
      time: row.from_at === null || row.until_at === null ? null : { from: row.from_at.toISOString(), until: row.until_at.toISOString() },
      mayEnd: isAdmin || member.userId === row.user_id || member.userId === row.deputy_id,
    })),
  };
}
export type LoadedDeputies = Awaited<ReturnType<typeof loadDeputies>>;
