import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { bytesSchema, defineCommand } from '#app/engine/commands/command.ts';
import { installConnection } from '#app/engine/connections/add-connection.ts';

/**
 * Stores an MCP server before it can be asked what it offers: pending until its first check. `settings` say how it signs in; `sealedClient` is
 * our registration there, where one was typed in.
 */
export const installServer = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({
    id: z.uuid(),
    name: z.string(),
    description: z.string(),
    endpoint: z.string(),
    settings: z.custom<Json>().optional(),
    sealedClient: bytesSchema.nullable().default(null),
  }),
  actions: ['connection.installed'],
  changes: ['quorate.connections', 'quorate.oauth_clients'],
  repeat: 'byId',
  async change({ db, principal }, { sealedClient, ...server }) {
    const owner = { workspaceId: principal.workspace.id, ownerId: principal.userId };
    const done = await installConnection(db, { ...server, ...owner, kind: 'mcp', sealedCredential: null });
    if (sealedClient !== null) {
      const client = { workspace_id: owner.workspaceId, connection_id: server.id, issuer: '', sealed: sealedClient };
      await db.insertInto('quorate.oauth_clients').values(client).execute();
    }
    return done;
  },
});
