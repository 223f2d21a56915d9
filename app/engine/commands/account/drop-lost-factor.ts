import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/**
 * Removes the authenticator of a session that was opened by a recovery code, with all recovery codes. Returns false for every other
 * session.
 */
export const dropLostFactor = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema }),
  actions: ['account.factorRemoved'],
  repeat: 'refused',
  async change({ db }, { user, session }) {
    const { rows } = await sql<{ dropped: boolean }>`
      select quorate.drop_lost_factor(${user}::uuid, ${session}::uuid) as dropped`.execute(db);
    return rows[0]?.dropped === true;
  },
});
