import type { Db } from '#app/contracts/db.ts';
import { readHiddenColumns } from '#app/domain/people/member-settings.ts';
import { type ListAddress, listUrl } from '#app/domain/web/list-address.ts';

/** A list as its reader has set it up: its address, and the columns that they have put away in this workspace. */
export async function loadListState(
  db: Db,
  who: { workspaceId: string; userId: string },
  list: ListAddress,
  params: URLSearchParams,
): Promise<{ name: string; url: string; hidden: string[] }> {
  const row = await db
    .selectFrom('quorate.member_settings')
    .where('workspace_id', '=', who.workspaceId)
    .where('user_id', '=', who.userId)
    .select('settings')
    .executeTakeFirst();
  return { name: list.name, url: listUrl(list, params), hidden: readHiddenColumns(row?.settings, list.name) };
}
