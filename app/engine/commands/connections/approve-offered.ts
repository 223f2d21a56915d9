import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { approveCapabilities } from '#app/engine/connections/approve-capabilities.ts';

/** Approves tools, skills or models exactly as they were shown. Those that have changed since are left alone and counted. */
export const approveOffered = defineCommand({
  permission: 'approveCapability',
  scope: null,
  input: z.object({ connection: connectionSchema, shown: z.array(z.object({ id: z.string(), fingerprint: z.string() })) }),
  actions: ['capability.approved'],
  changes: ['quorate.capabilities'],
  repeat: 'overwrites',
  change({ db, principal, now }, { connection, shown }) {
    return approveCapabilities(db, { ...connection, workspaceId: principal.workspace.id }, shown, {
      approverId: principal.userId,
      at: now(),
    });
  },
});
