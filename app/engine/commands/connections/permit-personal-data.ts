import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { allowPersonalData } from '#app/engine/connections/change-connection.ts';

/** States whether personal data may go to a connection. */
export const permitPersonalData = defineCommand({
  permission: 'approveCapability',
  scope: null,
  input: z.object({ connection: connectionSchema, allowed: z.boolean() }),
  actions: ['connection.personalDataAllowed', 'connection.personalDataForbidden'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, allowed }) {
    return allowPersonalData(db, { ...connection, workspaceId: principal.workspace.id }, allowed, now());
  },
});
