import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { allowRepeatedCalls } from '#app/engine/connections/change-connection.ts';

/** States whether a connection honours the idempotency key, so that a call that writes may be made again. */
export const permitRepeatedCalls = defineCommand({
  permission: 'approveCapability',
  scope: null,
  input: z.object({ connection: connectionSchema, allowed: z.boolean() }),
  actions: ['connection.repeatAllowed', 'connection.repeatForbidden'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, allowed }) {
    return allowRepeatedCalls(db, { ...connection, workspaceId: principal.workspace.id }, allowed, now());
  },
});
