import { z } from 'zod';
import { bytesSchema, definePersonalCommand, idSchema } from '#app/engine/commands/command.ts';

/** Keeps what a person who is sent away to consent needs when they come back. It takes the place of any that they began before and left. */
export const beginSignIn = definePersonalCommand({
  input: z.object({
    id: z.uuid(),
    workspace: idSchema,
    connection: z.uuid(),
    session: idSchema,
    forMember: z.boolean(),
    stateDigest: bytesSchema,
    host: z.string(),
    sealed: bytesSchema,
    dueAt: z.date(),
  }),
  changes: ['quorate.oauth_consents'],
  repeat: 'byId',
  async change({ db, userId }, { id, workspace, connection, session, forMember, stateDigest, host, sealed, dueAt }) {
    await db.deleteFrom('quorate.oauth_consents').where('connection_id', '=', connection).where('user_id', '=', userId).execute();
    await db
      .insertInto('quorate.oauth_consents')
      .values({
        id,
        workspace_id: workspace,
        connection_id: connection,
        user_id: userId,
        session_id: session,
        for_member: forMember,
        state_digest: stateDigest,
        host,
        sealed,
        due_at: dueAt,
      })
      .execute();
  },
});
