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
  changes: ['quorate.connections', 'quorate.oauth_grants', 'quorate.oauth_clients'],
  repeat: 'refused',
  async change({ db, principal, now }, { connection }) {
    await db.deleteFrom('quorate.oauth_grants').where('connection_id', '=', connection.id).execute();
    await db.deleteFrom('quorate.oauth_clients').where('connection_id', '=', connection.id).execute();
    return disconnect(db, { ...connection, workspaceId: principal.workspace.id }, now());
  },
});
