import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { withdrawCapability } from '#app/engine/connections/approve-capabilities.ts';

/** Takes the approval of a tool, skill or model back: it waits again. */
export const withdrawApproved = defineCommand({
  permission: 'approveCapability',
  scope: null,
  input: z.object({ connection: connectionSchema, capability: z.string() }),
  actions: ['capability.withdrawn'],
  changes: ['quorate.capabilities'],
  repeat: 'refused',
  change({ db, principal }, { connection, capability }) {
    return withdrawCapability(db, { ...connection, workspaceId: principal.workspace.id }, capability);
  },
});
