import type { Db } from '#app/contracts/db.ts';
import type { BuiltinConnection } from '#app/engine/connections/builtin-capabilities.ts';
import { insertCapabilities } from '#app/engine/connections/store-capabilities.ts';

/**
 * Adds the built-in peers as connections to a workspace, inside the caller's transaction, which records the one audit
 * event. Those that stand already are left alone. With `approvedBy` (a member with the role, who is the one acting) what
 * they offer is approved and personal data allowed, since they run inside this process; else it waits for an approver.
 */
export async function seedBuiltinConnections(
  db: Db,
  seed: {
    workspaceId: string;
    ownerId: string;
    approvedBy: string | null;
    newId: () => string;
    now: () => Date;
    kinds?: readonly ('mcp' | 'a2a')[];
  },
): Promise<{ added: { id: string; name: string; kind: 'mcp' | 'a2a' }[] }> {
  const standing = await db
    .selectFrom('quorate.connections')
    .where('workspace_id', '=', seed.workspaceId)
    .where('deleted_at', 'is', null)
    .select(['endpoint', 'slug'])
    .execute();
  const added: { id: string; name: string; kind: 'mcp' | 'a2a' }[] = [];
  // Read when a workspace is made, not when the server starts: it brings both protocols' libraries.
  const { builtinConnections } = await import('#app/engine/connections/builtin-capabilities.ts');
  for (const builtin of builtinConnections()) {
    if (seed.kinds !== undefined && !seed.kinds.includes(builtin.kind)) continue;
    if (standing.some((connection) => connection.endpoint === builtin.endpoint)) continue;
    const id = seed.newId();
    await insertBuiltin(
      db,
      seed,
      builtin,
      id,
      freeSlug(
        builtin.slug,
        standing.map((connection) => connection.slug),
      ),
    );
    added.push({ id, name: builtin.name, kind: builtin.kind });
  }
  return { added };
}

async function insertBuiltin(
  db: Db,
  seed: { workspaceId: string; ownerId: string; approvedBy: string | null; newId: () => string; now: () => Date },
  builtin: BuiltinConnection,
  id: string,
  slug: string,
): Promise<void> {
  const at = seed.now();
  await db
    .insertInto('quorate.connections')
    .values({
      id,
      workspace_id: seed.workspaceId,
      kind: builtin.kind,
      name: builtin.name,
      slug,
      description: builtin.description,
      endpoint: builtin.endpoint,
      status: 'connected',
      protocol_version: builtin.protocolVersion,
      last_check_at: at,
      owner_id: seed.ownerId,
    })
    .execute();
  await insertCapabilities(db, { workspaceId: seed.workspaceId, connectionId: id, newId: seed.newId, at }, builtin.capabilities);
  if (seed.approvedBy === null) return;
  for (const capability of builtin.capabilities) {
    await db
      .updateTable('quorate.capabilities')
      .set({
        approved_fingerprint: capability.fingerprint,
        approved_definition: JSON.stringify(capability.definition),
        approved_by: seed.approvedBy,
        approved_at: at,
      })
      .where('connection_id', '=', id)
      .where('name', '=', capability.name)
      .execute();
  }
  await db.updateTable('quorate.connections').set({ personal_data_allowed: true, updated_at: at }).where('id', '=', id).execute();
}

/** A slug that no standing connection has: `tools`, `tools-2` … */
export function freeSlug(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number += 1) {
    const slug = `${wanted.slice(0, 44)}-${number}`;
    if (!taken.includes(slug)) return slug;
  }
}
