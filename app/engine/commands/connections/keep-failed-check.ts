import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import type { PeerFailure } from '#app/engine/connections/peer.ts';
import { recordFailedCheck } from '#app/engine/connections/record-check.ts';

/** Stores why a check of a connection failed. Earlier offers and approvals stay. */
export const keepFailedCheck = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({ connection: connectionSchema, failure: z.custom<PeerFailure>((value) => typeof value === 'object' && value !== null) }),
  actions: ['connection.checkFailed'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, failure }) {
    return recordFailedCheck(db, { ...connection, workspaceId: principal.workspace.id }, failure, now());
  },
});
