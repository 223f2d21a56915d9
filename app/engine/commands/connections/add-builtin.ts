import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { may } from '#app/domain/people/roles.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { seedBuiltinConnections } from '#app/engine/connections/seed-builtin-connections.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';

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
    const approvedBy = may(roles, 'approveCapability') ? userId : null;
    if (kind === 'a2a') await requireRoom(db, workspace.id, 'agents', now());
    const seed = { workspaceId: workspace.id, ownerId: userId, approvedBy, newId, now, kinds: [kind] };
    const [connection] = (await seedBuiltinConnections(db, seed)).added;
    // Somebody was quicker: nothing to record, so nothing is committed.
    if (connection === undefined) throw new AppError('conflict');
    const { id, name } = connection;
    const resource = { kind: 'connection', id, name };
    return { result: { id }, event: { action: 'connection.builtinAdded', resource, payload: { approved: approvedBy !== null } } };
  },
});
