import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/**
 * Makes the profile, and a workspace of one's own, for an account that has none. An account with a workspace keeps what it has. `founds`:
 * whether one is founded at all; `first`: as long as the instance has none but the demo's.
 */
export const makeAccount = defineInstanceCommand({
  input: z.object({
    user: idSchema,
    email: z.string(),
    name: z.string(),
    workspaceName: z.string(),
    slug: z.string(),
    founds: z.enum(['always', 'first', 'never']),
  }),
  actions: ['workspace.created'],
  repeat: 'overwrites',
  async change({ db, newId }, { user, email, name, workspaceName, slug, founds }) {
    await sql`select quorate.ensure_account(${user}::uuid, ${email}, ${name}, ${newId()}::uuid, ${workspaceName}, ${slug}, ${newId()}::uuid, ${founds})`.execute(
      db,
    );
  },
});
