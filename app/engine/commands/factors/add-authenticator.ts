import { sql } from 'kysely';
import { z } from 'zod';
import { bytesSchema, defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** `there`: one is set up already. */
export type AuthenticatorAddition = 'added' | 'added_with_codes' | 'there';

/** Keeps the sealed secret of an authenticator app whose first code, of time step `step`, was right. `codes` as of passkeys. */
export const addAuthenticator = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, sealed: bytesSchema, step: z.number().int(), codes: z.array(bytesSchema) }),
  actions: ['account.factorAdded'],
  repeat: 'refused',
  async change({ db }, { user, session, sealed, step, codes }): Promise<AuthenticatorAddition> {
    const { rows } = await sql<{ outcome: AuthenticatorAddition }>`
      select quorate.add_authenticator(${user}::uuid, ${session}::uuid, ${sealed}, ${step}, ${codes}::bytea[]) as outcome`.execute(db);
    return rows[0]?.outcome ?? 'there';
  },
});
