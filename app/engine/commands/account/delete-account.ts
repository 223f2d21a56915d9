import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';
import { LAST_ADMIN } from '#app/engine/commands/members/member-states.ts';

/** SQLSTATE: an event of the account has no place in the log yet, and can be erased only then. */
export const LOG_BEHIND = 'QM003';

/** Erases an account, with every workspace that it alone belongs to. */
export const deleteAccount = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema }),
  actions: ['account.deleted', 'workspace.deleted'],
  repeat: 'refused',
  refusals: { [LAST_ADMIN]: { code: 'conflict', reasons: [{ key: 'handOverFirst' }] } },
  async change({ db }, { user, session }) {
    await sql`select quorate.delete_account(${user}::uuid, ${session}::uuid)`.execute(db);
  },
});
