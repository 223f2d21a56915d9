import { z } from 'zod';
import { bytesSchema, defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { rotateCredential } from '#app/engine/connections/change-connection.ts';

/** Puts a new credential, with which the peer has answered, in the place of the old one. */
export const replaceCredential = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({ connection: connectionSchema, sealed: bytesSchema }),
  actions: ['connection.keyRotated'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, sealed }) {
    return rotateCredential(db, { ...connection, workspaceId: principal.workspace.id }, sealed, now());
  },
});
