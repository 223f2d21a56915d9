import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand } from '#app/engine/commands/command.ts';

/** Records that a sign-in by this provider was refused; at most 30 an hour of a workspace. */
export const noteRefusal = defineInstanceCommand({
  input: z.object({ provider: z.uuid(), reason: z.string() }),
  actions: ['signIn.refused'],
  repeat: 'repeats',
  async change({ db, newId }, { provider, reason }) {
    await sql`select quorate.note_company_refusal(${provider}, ${reason}, ${newId()})`.execute(db);
  },
});
