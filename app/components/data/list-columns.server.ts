import type { Db } from '#app/contracts/db.ts';
import { readHiddenColumns } from '#app/domain/people/member-settings.ts';

/** The columns that a member has put away in a list of this workspace. */
export async function loadHiddenColumns(db: Db, who: { workspaceId: string; userId: string }, list: string): Promise<string[]> {
  const row = await db
    .selectFrom('quorate.member_settings')
    .where('workspace_id', '=', who.workspaceId)
    .where('user_id', '=', who.userId)
    .select('settings')
    .executeTakeFirst();
  return readHiddenColumns(row?.settings, list);
}
