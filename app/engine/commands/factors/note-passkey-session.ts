import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Writes down that a passkey has opened this session. */
export const notePasskeySession = defineInstanceCommand({
  input: z.object({ passkey: idSchema, user: idSchema, session: idSchema }),
  actions: [],
  repeat: 'overwrites',
  async change({ db }, { passkey, user, session }) {
    await sql`select quorate.note_passkey_session(${passkey}::uuid, ${user}::uuid, ${session}::uuid)`.execute(db);
  },
});
