import { sql } from 'kysely';
import { z } from 'zod';
import { bytesSchema, defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

const ACTIONS = ['account.factorAdded', 'account.factorRemoved', 'account.recoveryCodesRenewed'] as const;

/** Puts these hashes in the place of one's recovery codes, after a factor of the account service was added or removed, or for new codes alone. */
export const replaceRecoveryCodes = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, done: z.enum(ACTIONS), hashes: z.array(bytesSchema) }),
  actions: ACTIONS,
  repeat: 'overwrites',
  async change({ db }, { user, session, done, hashes }) {
    await sql`select quorate.replace_recovery_codes(${user}::uuid, ${session}::uuid, ${hashes}::bytea[], ${done})`.execute(db);
  },
});
