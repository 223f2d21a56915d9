import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Takes the code of this time step, once. Returns false where it, or a later one, was taken before. */
export const useAuthenticator = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, step: z.number().int() }),
  actions: [],
  repeat: 'refused',
  async change({ db }, { user, session, step }) {
    const { rows } = await sql<{ used: boolean }>`
      select quorate.use_authenticator(${user}::uuid, ${session}::uuid, ${step}) as used`.execute(db);
    return rows[0]?.used === true;
  },
});
