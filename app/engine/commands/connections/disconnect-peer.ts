import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { disconnect } from '#app/engine/connections/change-connection.ts';

/** Ends a connection: nothing is called on it any longer, its token is gone, and what happened on it stays. */
export const disconnectPeer = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({ connection: connectionSchema }),
  actions: ['connection.disconnected'],
  changes: ['quorate.connections'],
  repeat: 'refused',
  change({ db, principal, now }, { connection }) {
    return disconnect(db, { ...connection, workspaceId: principal.workspace.id }, now());
  },
});
