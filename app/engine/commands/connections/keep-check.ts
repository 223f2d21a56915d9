import { z } from 'zod';
import type { PeerInspection } from '#app/contracts/peer.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { recordCheck } from '#app/engine/connections/record-check.ts';

/** Keeps what a check of a connection found. New and changed tools wait for approval. */
export const keepCheck = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({
    connection: connectionSchema,
    inspection: z.custom<PeerInspection>((value) => typeof value === 'object' && value !== null),
  }),
  actions: ['connection.checked'],
  changes: ['quorate.connections', 'quorate.capabilities'],
  repeat: 'overwrites',
  change({ db, principal, newId, now }, { connection, inspection }) {
    return recordCheck(db, { ...connection, workspaceId: principal.workspace.id }, inspection, { newId, at: now() });
  },
});
