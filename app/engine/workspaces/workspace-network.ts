import { readWorkspaceNetwork, type WorkspaceNetwork } from '#app/domain/connections/workspace-network.ts';
import type { Db } from '#app/engine/db.ts';

/** Addresses inside that calls of this workspace may reach; every call to a peer carries them. */
export async function workspaceNetwork(db: Db, workspaceId: string): Promise<WorkspaceNetwork> {
  const row = await db.selectFrom('quorate.workspaces').select('private_network').where('id', '=', workspaceId).executeTakeFirstOrThrow();
  return readWorkspaceNetwork(row.private_network);
}
