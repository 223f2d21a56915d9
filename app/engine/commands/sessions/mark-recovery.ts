import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Marks a session that a recovery link or code has opened: only the new password is open to it. */
export const markRecovery = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, browser: z.string() }),
  actions: [],
  repeat: 'overwrites',
  async change({ db }, { user, session, browser }) {
    await sql`select quorate.begin_recovery(${user}::uuid, ${session}::uuid, ${browser})`.execute(db);
  },
});
