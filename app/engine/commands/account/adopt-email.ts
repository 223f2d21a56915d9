import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Takes the address that the auth service has confirmed for an account into its memberships. */
export const adoptEmail = defineInstanceCommand({
  input: z.object({ user: idSchema }),
  actions: ['member.emailChanged'],
  repeat: 'overwrites',
  async change({ db }, { user }) {
    await sql`select quorate.adopt_email(${user}::uuid)`.execute(db);
  },
});
