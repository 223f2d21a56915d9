import type { Db } from '#app/contracts/db.ts';
import type { WorkspaceNetwork } from '#app/contracts/network.ts';
import { readWorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';

/** Addresses inside that calls of this workspace may reach; every call to a peer carries them. */
export async function workspaceNetwork(db: Db, workspaceId: string): Promise<WorkspaceNetwork> {
  const row = await db.selectFrom('quorate.workspaces').select('private_network').where('id', '=', workspaceId).executeTakeFirstOrThrow();
  return readWorkspaceNetwork(row.private_network);
}
