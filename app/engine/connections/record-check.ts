import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { type ConnectionRow, type Done, updateConnection } from '#app/engine/connections/connection-row.ts';
import type { PeerFailure } from '#app/engine/connections/peer.ts';
import { updateCapabilities } from '#app/engine/connections/store-capabilities.ts';

/** Stores the result of a check. New and changed capabilities wait for approval. */
export async function recordCheck(
  db: Db,
  connection: ConnectionRow,
  inspection: PeerInspection,
  { newId, at }: { newId: () => string; at: Date },
): Promise<Done<{ news: number }, 'connection.checked'>> {
  const place = { workspaceId: connection.workspaceId, connectionId: connection.id, newId, at };
  const changes = await updateCapabilities(db, place, inspection.capabilities);
  await updateConnection(db, connection.id, {
    status: 'connected',
    protocol_version: inspection.protocolVersion,
    last_check_at: at,
    last_error: null,
    updated_at: at,
  });
  return {
    result: { news: changes.added.length + changes.changed.length + changes.removed.length },
    event: {
      action: 'connection.checked',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { protocolVersion: inspection.protocolVersion, ...changes },
    },
  };
}

/** Stores the reason of a failed check. Earlier offers and approvals stay. */
export async function recordFailedCheck(
  db: Db,
  connection: ConnectionRow,
  failure: PeerFailure,
  at: Date,
): Promise<Done<null, 'connection.checkFailed'>> {
  const reason: { [key: string]: Json } = { key: failure.key, values: failure.values };
  await updateConnection(db, connection.id, { status: 'error', last_check_at: at, last_error: JSON.stringify(reason), updated_at: at });
  return {
    result: null,
    event: {
      action: 'connection.checkFailed',
      resource: { kind: 'connection', id: connection.id, name: connection.name },
      payload: { reason },
    },
  };
}
