import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Takes the mark from a session whose owner has set the new password. */
export const unmarkRecovery = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema }),
  actions: [],
  repeat: 'overwrites',
  async change({ db }, { user, session }) {
    await sql`select quorate.end_recovery(${user}::uuid, ${session}::uuid)`.execute(db);
  },
});
