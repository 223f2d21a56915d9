import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** `last`: a workspace of theirs asks for a factor, and there is no other. */
export type FactorRemoval = 'removed' | 'gone' | 'last';

/** Removes one of one's passkeys. */
export const removePasskey = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, passkey: idSchema }),
  actions: ['account.passkeyRemoved'],
  repeat: 'refused',
  async change({ db }, { user, session, passkey }): Promise<FactorRemoval> {
    const { rows } = await sql<{ outcome: FactorRemoval }>`
      select quorate.remove_passkey(${user}::uuid, ${session}::uuid, ${passkey}::uuid) as outcome`.execute(db);
    return rows[0]?.outcome ?? 'gone';
  },
});
