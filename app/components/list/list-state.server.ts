import { loadHiddenColumns } from '#app/components/data/list-columns.server.ts';
import { type ListAddress, listUrl } from '#app/components/list/list-address.ts';
import type { Db } from '#app/contracts/db.ts';

/** A list as its reader has set it up: its address, and the columns that they have put away in this workspace. */
export async function loadListState(
  db: Db,
  who: { workspaceId: string; userId: string },
  list: ListAddress,
  params: URLSearchParams,
): Promise<{ name: string; url: string; hidden: string[] }> {
  return { name: list.name, url: listUrl(list, params), hidden: await loadHiddenColumns(db, who, list.name) };
}
