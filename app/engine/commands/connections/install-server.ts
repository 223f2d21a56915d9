import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { installConnection } from '#app/engine/connections/add-connection.ts';

/** Stores an MCP server before the first contact: pending until its first check lists what it offers. */
export const installServer = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({ id: z.uuid(), name: z.string(), description: z.string(), endpoint: z.string() }),
  actions: ['connection.installed'],
  changes: ['quorate.connections'],
  repeat: 'byId',
  change({ db, principal }, server) {
    const owner = { workspaceId: principal.workspace.id, ownerId: principal.userId };
    return installConnection(db, { ...server, ...owner, kind: 'mcp', sealedCredential: null });
  },
});
