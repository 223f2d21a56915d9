import { z } from 'zod';
import { CONNECTION_KINDS } from '#app/contracts/connection-kind.ts';
import type { Json } from '#app/contracts/json.ts';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { bytesSchema, defineCommand } from '#app/engine/commands/command.ts';
import { addConnection } from '#app/engine/connections/add-connection.ts';

/** Stores a peer that has been spoken to, with everything that it offers waiting for approval. */
export const connectPeer = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({
    id: z.uuid(),
    kind: z.enum(CONNECTION_KINDS),
    name: z.string(),
    description: z.string(),
    endpoint: z.string(),
    sealedCredential: bytesSchema.nullable(),
    settings: z.custom<Json>().optional(),
    inspection: z.custom<PeerInspection>((value) => typeof value === 'object' && value !== null),
  }),
  actions: ['connection.connected'],
  changes: ['quorate.connections', 'quorate.capabilities'],
  repeat: 'byId',
  change({ db, principal, newId, now }, { inspection, ...connection }) {
    const owner = { workspaceId: principal.workspace.id, ownerId: principal.userId };
    return addConnection(db, { ...connection, ...owner }, inspection, { newId, at: now() });
  },
});
