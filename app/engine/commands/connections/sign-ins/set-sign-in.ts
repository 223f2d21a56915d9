import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { connectionSchema } from '#app/engine/commands/connections/connection-input.ts';
import { updateConnection } from '#app/engine/connections/connection-row.ts';

/** Says with whose account a connection is called, and where it signs in. `owner`: a member, for runs that nobody starts. */
export const setSignIn = defineCommand({
  permission: 'manageConnection',
  scope: null,
  input: z.object({
    connection: connectionSchema,
    signIn: z.object({ by: z.enum(['workspace', 'member']), owner: z.uuid().nullable(), host: z.string() }),
  }),
  actions: ['connection.signInSet'],
  changes: ['quorate.connections'],
  repeat: 'overwrites',
  async change({ db, principal, now }, { connection, signIn }) {
    if (signIn.owner !== null) {
      const owner = await db
        .selectFrom('quorate.members')
        .where('workspace_id', '=', principal.workspace.id)
        .where('user_id', '=', signIn.owner)
        .select('user_id')
        .executeTakeFirst();
      if (owner === undefined) throw new AppError('not_found');
    }
    await updateConnection(db, connection.id, { settings: JSON.stringify({ signIn }), updated_at: now() });
    return {
      result: null,
      event: {
        action: 'connection.signInSet',
        resource: { kind: 'connection', id: connection.id, name: connection.name },
        payload: signIn,
      },
    };
  },
});
