import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** `required`: the workspace takes no other sign-in of this person. */
export type IdentityRemoval = 'removed' | 'gone' | 'required';

/** Ends that a company's provider signs one in. Whoever proves who they are has a password or a passkey left. */
export const removeIdentity = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, key: z.string() }),
  actions: ['account.identityRemoved'],
  repeat: 'refused',
  async change({ db }, { user, session, key }): Promise<IdentityRemoval> {
    const { rows } = await sql<{ outcome: IdentityRemoval }>`
      select quorate.remove_own_identity(${user}::uuid, ${session}::uuid, ${key}) as outcome`.execute(db);
    return rows[0]?.outcome ?? 'gone';
  },
});
