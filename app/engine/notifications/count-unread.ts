import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** Counting ends here: more shows as this many and a plus. */
export const UNREAD_COUNT_LIMIT = 100;

/** How many notifications of this workspace the member has not read, at most UNREAD_COUNT_LIMIT. Asked with every page. */
export async function countUnread(db: Db, member: { userId: string; workspace: { id: string } }): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from quorate.notifications n where n.user_id = ${member.userId} and n.workspace_id = ${member.workspace.id} and n.read_at is null
    limit ${UNREAD_COUNT_LIMIT}) unread`.execute(db);
  return rows[0]?.count ?? 0;
}
