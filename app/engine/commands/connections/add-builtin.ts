import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { can } from '#app/domain/people/roles.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { KINDS_OF_CONNECTION } from '#app/engine/connections/connection-kinds.ts';
import { seedBuiltinConnections } from '#app/engine/connections/seed-builtin-connections.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';

/** Adds the built-in peer of one protocol; approved at once where the member may approve. */
export const addBuiltin = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({ kind: z.enum(['mcp', 'a2a']) }),
  actions: ['connection.builtinAdded'],
  changes: ['quorate.connections', 'quorate.capabilities'],
  repeat: 'refused',
  async change({ db, principal, newId, now }, { kind }) {
    const { workspace, userId, roles } = principal;
    const approvedBy = can(roles, 'approveCapability') ? userId : null;
    const { quota } = KINDS_OF_CONNECTION[kind];
    if (quota !== null) await requireQuota(db, workspace.id, quota, now());
    const seed = { workspaceId: workspace.id, ownerId: userId, approvedBy, newId, now, kinds: [kind] };
    const [connection] = (await seedBuiltinConnections(db, seed)).added;
    // Someone was quicker: nothing to record, so nothing is committed.
    if (connection === undefined) throw new AppError('conflict');
    const { id, name } = connection;
    const resource = { kind: 'connection', id, name };
    return { result: { id }, event: { action: 'connection.builtinAdded', resource, payload: { approved: approvedBy !== null } } };
  },
});
