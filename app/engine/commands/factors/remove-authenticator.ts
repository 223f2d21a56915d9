import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';
import type { FactorRemoval } from '#app/engine/commands/factors/remove-passkey.ts';

/** Removes one's authenticator app, of an account service that has none itself. */
export const removeAuthenticator = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema }),
  actions: ['account.factorRemoved'],
  repeat: 'refused',
  async change({ db }, { user, session }): Promise<FactorRemoval> {
    const { rows } = await sql<{ outcome: FactorRemoval }>`
      select quorate.remove_authenticator(${user}::uuid, ${session}::uuid) as outcome`.execute(db);
    return rows[0]?.outcome ?? 'gone';
  },
});
