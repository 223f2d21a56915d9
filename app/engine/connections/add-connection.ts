import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { KINDS_OF_CONNECTION } from '#app/engine/connections/connection-kinds.ts';
import type { Done } from '#app/engine/connections/connection-row.ts';
import { freeSlug } from '#app/engine/connections/seed-builtin-connections.ts';
import { insertCapabilities } from '#app/engine/connections/store-capabilities.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';

export type NewConnection = {
  id: string;
  workspaceId: string;
  ownerId: string;
  kind: ConnectionKind;
  name: string;
  description: string;
  endpoint: string;
  sealedCredential: Uint8Array | null;
  settings?: Json;
};

/**
 * Stores a peer that has been inspected, with everything it offers waiting for approval.
 * @throws AppError quota_exceeded for an agent beyond the plan's number
 */
export async function addConnection(
  db: Db,
  connection: NewConnection,
  inspection: PeerInspection,
  { newId, at }: { newId: () => string; at: Date },
): Promise<Done<{ id: string }, 'connection.connected'>> {
  const { quota } = KINDS_OF_CONNECTION[connection.kind];
  if (quota !== null) await requireQuota(db, connection.workspaceId, quota, at);
  await db
    .insertInto('quorate.connections')
    .values({
      ...(await valuesOf(db, connection)),
      ...(connection.sealedCredential === null ? {} : { sealed_credential: connection.sealedCredential }),
      ...(connection.settings === undefined ? {} : { settings: JSON.stringify(connection.settings) }),
      status: 'connected',
      protocol_version: inspection.protocolVersion,
      last_check_at: at,
    })
    .execute();
  await insertCapabilities(db, { workspaceId: connection.workspaceId, connectionId: connection.id, newId, at }, inspection.capabilities);
  return {
    result: { id: connection.id },
    event: {
      action: 'connection.connected',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { protocol: connection.kind, endpoint: connection.endpoint, capabilities: pinsOf(inspection) },
    },
  };
}

/** Of either kind of start, with a slug that no other connection of the workspace has. */
async function valuesOf(db: Db, connection: NewConnection) {
  const taken = await db
    .selectFrom('quorate.connections')
    .where('workspace_id', '=', connection.workspaceId)
    .where('deleted_at', 'is', null)
    .select('slug')
    .execute();
  return {
    id: connection.id,
    workspace_id: connection.workspaceId,
    owner_id: connection.ownerId,
    kind: connection.kind,
    name: connection.name,
    slug: freeSlug(
      slugOf(connection.name),
      taken.map((row) => row.slug),
    ),
    description: connection.description,
    endpoint: connection.endpoint,
  };
}

/** Stores a peer before the first contact: pending until its first check lists what it offers. */
export async function installConnection(db: Db, connection: NewConnection): Promise<Done<{ id: string }, 'connection.installed'>> {
  await db
    .insertInto('quorate.connections')
    .values({
      ...(await valuesOf(db, connection)),
      ...(connection.settings === undefined ? {} : { settings: JSON.stringify(connection.settings) }),
      status: 'pending',
    })
    .execute();
  return {
    result: { id: connection.id },
    event: {
      action: 'connection.installed',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { protocol: connection.kind, endpoint: connection.endpoint },
    },
  };
}

function pinsOf(inspection: PeerInspection): { [key: string]: Json }[] {
  return inspection.capabilities.slice(0, 500).map(({ name, fingerprint }) => ({ name, fingerprint }));
}

/** The name by which workflows refer to a connection. */
function slugOf(name: string): string {
  const slug = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 44)
    .replace(/-+$/, '');
  return slug === '' ? 'connection' : slug;
}
