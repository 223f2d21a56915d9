import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';

/** Deletes the workspace's tokens of a connection, or a member's own. @throws AppError `not_found` where there are none */
export const endSignIn = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ connection: connectionSchema, forMember: z.boolean() }),
  actions: ['connection.signedOut'],
  changes: ['quorate.oauth_grants'],
  repeat: 'refused',
  async change({ db, principal }, { connection, forMember }) {
    if (!forMember) assertPermission(principal.roles, 'manageConnection');
    const { numDeletedRows } = await db
      .deleteFrom('quorate.oauth_grants')
      .where('connection_id', '=', connection.id)
      .where('user_id', forMember ? '=' : 'is', forMember ? principal.userId : null)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'connection.signedOut',
        resource: { kind: 'connection', id: connection.id, name: connection.name },
        payload: { by: forMember ? 'member' : 'workspace' },
      },
    };
  },
});
