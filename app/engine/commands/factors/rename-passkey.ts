import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand, idSchema } from '#app/engine/commands/command.ts';

/** Gives one of one's passkeys another name. Returns false where there is none. */
export const renamePasskey = defineInstanceCommand({
  input: z.object({ user: idSchema, session: idSchema, passkey: idSchema, name: z.string().trim().min(1).max(80) }),
  actions: ['account.passkeyRenamed'],
  repeat: 'overwrites',
  async change({ db }, { user, session, passkey, name }) {
    const { rows } = await sql<{ renamed: boolean }>`
      select quorate.rename_passkey(${user}::uuid, ${session}::uuid, ${passkey}::uuid, ${name}) as renamed`.execute(db);
    return rows[0]?.renamed === true;
  },
});
