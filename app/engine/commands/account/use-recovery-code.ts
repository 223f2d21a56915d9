import { sql } from 'kysely';
import { z } from 'zod';
import { bytesSchema, defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Opens a session by one of its owner's recovery codes, once. Returns false where no unused code has this hash. */
export const useRecoveryCode = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, hash: bytesSchema }),
  actions: ['account.recoveryCodeUsed'],
  repeat: 'refused',
  async change({ db }, { user, session, hash }) {
    const { rows } = await sql<{ used: boolean }>`
      select quorate.use_recovery_code(${user}::uuid, ${session}::uuid, ${hash}) as used`.execute(db);
    return rows[0]?.used === true;
  },
});
