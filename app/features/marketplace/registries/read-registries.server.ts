import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { RegistryServer } from '#app/contracts/registry.ts';
import { registryServerSchema } from '#app/engine/connections/registry/registry-answer.ts';

const serversSchema = z.array(registryServerSchema);

export type ReadRegistry = {
  id: string;
  name: string;
  address: string;
  servers: RegistryServer[];
  refused: number;
  cut: boolean;
  readAt: Date;
};

/** The registries of a workspace with what they name. */
export async function readRegistryServers(db: Db, workspaceId: string): Promise<ReadRegistry[]> {
  const rows = await db
    .selectFrom('quorate.registries')
    .select(['id', 'name', 'address', 'servers', 'refused', 'cut', 'read_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map(({ read_at, servers, ...row }) => ({ ...row, servers: serversSchema.parse(servers), readAt: read_at }));
}
