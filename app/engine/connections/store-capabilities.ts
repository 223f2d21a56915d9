import type { Db } from '#app/contracts/db.ts';
import type { PeerCapability } from '#app/contracts/peer.ts';

type Place = { workspaceId: string; connectionId: string; newId: () => string; at: Date };

export type CapabilityChanges = { added: string[]; changed: string[]; removed: string[] };

/** Stores what a peer offers for the first time. Nothing of it is approved. */
export async function insertCapabilities(db: Db, place: Place, capabilities: readonly PeerCapability[]): Promise<void> {
  if (capabilities.length === 0) return;
  await db
    .insertInto('quorate.capabilities')
    .values(
      capabilities.map((capability) => ({
        id: place.newId(),
        workspace_id: place.workspaceId,
        connection_id: place.connectionId,
        kind: capability.kind,
        name: capability.name,
        ...columnsOf(capability),
        first_seen_at: place.at,
        last_seen_at: place.at,
      })),
    )
    .execute();
}

/**
 * Stores what a peer offers now beside what stands: new ones wait for approval, changed ones keep what was approved beside what is now,
 * missing ones are marked removed. Returns what differs; approved ones that came back unchanged are not news.
 */
export async function updateCapabilities(db: Db, place: Place, capabilities: readonly PeerCapability[]): Promise<CapabilityChanges> {
  const standing = await db
    .selectFrom('quorate.capabilities')
    .where('connection_id', '=', place.connectionId)
    .select(['id', 'name', 'fingerprint', 'removed_at'])
    .forUpdate()
    .execute();
  const byName = new Map(standing.map((row) => [row.name, row]));
  const changes: CapabilityChanges = { added: [], changed: [], removed: [] };
  const fresh: PeerCapability[] = [];
  for (const capability of capabilities) {
    const row = byName.get(capability.name);
    byName.delete(capability.name);
    if (row === undefined) {
      fresh.push(capability);
      changes.added.push(capability.name);
      continue;
    }
    if (row.removed_at !== null) changes.added.push(capability.name);
    else if (row.fingerprint !== capability.fingerprint) changes.changed.push(capability.name);
    await db
      .updateTable('quorate.capabilities')
      .set({ ...columnsOf(capability), last_seen_at: place.at, removed_at: null })
      .where('id', '=', row.id)
      .execute();
  }
  await insertCapabilities(db, place, fresh);
  for (const row of byName.values()) {
    if (row.removed_at !== null) continue;
    changes.removed.push(row.name);
    await db.updateTable('quorate.capabilities').set({ removed_at: place.at }).where('id', '=', row.id).execute();
  }
  return changes;
}

function columnsOf(capability: PeerCapability) {
  return {
    title: capability.title,
    description: capability.description,
    input_schema: capability.inputSchema === null ? null : JSON.stringify(capability.inputSchema),
    output_schema: capability.outputSchema === null ? null : JSON.stringify(capability.outputSchema),
    definition: JSON.stringify(capability.definition),
    fingerprint: capability.fingerprint,
  };
}
