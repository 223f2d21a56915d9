import { sql } from 'kysely';
import { z } from 'zod';
import { bytesSchema, defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Accepts or declines an invitation, once, by the confirmed address of the session. Returns the workspace of an accepted one. */
export const answerInvitation = defineInstanceCommand({
  input: z.object({ hash: bytesSchema, user: idSchema, session: idSchema, accept: z.boolean(), name: z.string() }),
  actions: ['invitation.accepted', 'invitation.declined'],
  repeat: 'refused',
  async change({ db, newId }, { hash, user, session, accept, name }) {
    const { rows } = await sql<{ workspace: string }>`
      select quorate.answer_invitation(${hash}, ${user}::uuid, ${session}::uuid, ${accept}, ${name}, ${newId()}::uuid) as workspace`.execute(
      db,
    );
    return rows[0]?.workspace;
  },
});
