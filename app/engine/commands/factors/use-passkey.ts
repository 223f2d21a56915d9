import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** See `quorate.use_passkey`. */
export type PasskeyUse = 'used' | 'replayed' | 'gone' | 'doubted';

/**
 * Counts one use of a passkey whose signature was checked: by a session that has shown it, or (null) to open one. `hash` opens a session of
 * the embedded account service once; null on the hosted one.
 */
export const usePasskey = defineInstanceCommand({
  input: z.object({
    passkey: idSchema,
    counter: z.number().int(),
    backedUp: z.boolean(),
    challenge: z.string(),
    user: idSchema,
    session: idSchema.nullable(),
    hash: z.string().nullable(),
  }),
  actions: ['account.passkeyDoubted'],
  repeat: 'refused',
  async change({ db }, given): Promise<PasskeyUse> {
    const { rows } = await sql<{ outcome: PasskeyUse }>`
      select quorate.use_passkey(${given.passkey}::uuid, ${given.counter}, ${given.backedUp}, ${given.challenge}, ${given.user}::uuid,
        ${given.session}::uuid, ${given.hash}) as outcome`.execute(db);
    return rows[0]?.outcome ?? 'gone';
  },
});
