import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Writes down that a session is there and in which browser, for its owner's list, and in which workspace (null: none yet). */
export const noteSession = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, browser: z.string(), workspace: idSchema.nullable() }),
  actions: [],
  repeat: 'overwrites',
  async change({ db }, { user, session, browser, workspace }) {
    await sql`select quorate.note_session(${user}::uuid, ${session}::uuid, ${browser}, ${workspace}::uuid)`.execute(db);
  },
});
