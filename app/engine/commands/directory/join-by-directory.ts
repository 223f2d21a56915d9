import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/**
 * Makes who has just signed in a member of each workspace whose directory has their confirmed address, and that may speak for its domain.
 * Returns of how many.
 */
export const joinByDirectory = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, name: z.string() }),
  actions: ['member.joinedByDirectory'],
  repeat: 'overwrites',
  async change({ db }, { user, session, name }) {
    const { rows } = await sql<{ joined: number }>`
      select quorate.join_by_directory(${user}::uuid, ${session}::uuid, ${name}) as joined`.execute(db);
    return rows[0]?.joined ?? 0;
  },
});
