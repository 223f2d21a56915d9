import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { pauseConnection } from '#app/engine/connections/change-connection.ts';

/** Pauses a connection or resumes it: from the commit on nothing of it is called, in runs under way too. */
export const pausePeer = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({ connection: connectionSchema, paused: z.boolean() }),
  actions: ['connection.paused', 'connection.resumed'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, paused }) {
    return pauseConnection(db, { ...connection, workspaceId: principal.workspace.id }, paused, now());
  },
});
