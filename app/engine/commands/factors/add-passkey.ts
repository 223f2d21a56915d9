import { sql } from 'kysely';
import { z } from 'zod';
import { bytesSchema, defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** See `quorate.add_passkey`. */
export type PasskeyAddition = 'added' | 'added_with_codes' | 'replayed' | 'known' | 'full';

/** Keeps a passkey whose registration was checked. `codes`: hashes of recovery codes, for who has none that works. */
export const addPasskey = defineInstanceCommand({
  input: z.object({
    user: idSchema,
    session: idSchema,
    credential: bytesSchema,
    key: bytesSchema,
    counter: z.number().int(),
    transports: z.array(z.string()),
    backedUp: z.boolean(),
    name: z.string().trim().min(1).max(80),
    challenge: z.string(),
    codes: z.array(bytesSchema),
  }),
  actions: ['account.passkeyAdded'],
  repeat: 'refused',
  async change({ db, newId }, given): Promise<PasskeyAddition> {
    const { rows } = await sql<{ outcome: PasskeyAddition }>`
      select quorate.add_passkey(${given.user}::uuid, ${given.session}::uuid, ${newId()}::uuid, ${given.credential}, ${given.key},
        ${given.counter}, ${given.transports}::text[], ${given.backedUp}, ${given.name}, ${given.challenge},
        ${given.codes}::bytea[]) as outcome`.execute(db);
    return rows[0]?.outcome ?? 'known';
  },
});
