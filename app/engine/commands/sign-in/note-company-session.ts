import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand } from '#app/engine/commands/command.ts';

/** Notes of a session what the provider said of its sign-in. `authTime` in seconds since 1970. */
export const noteCompanySession = defineInstanceCommand({
  input: z.object({
    provider: z.uuid(),
    user: z.uuid(),
    session: z.uuid(),
    subject: z.string(),
    sid: z.string().max(500).nullable(),
    amr: z.array(z.string().max(100)).max(20),
    acr: z.string().max(500).nullable(),
    authTime: z.number().nullable(),
  }),
  actions: [],
  repeat: 'overwrites',
  async change({ db }, { provider, user, session, subject, sid, amr, acr, authTime }) {
    await sql`select quorate.note_company_session(${provider}, ${user}, ${session}, ${subject}, ${sid}, ${amr}::text[], ${acr},
      to_timestamp(${authTime}::float8))`.execute(db);
  },
});
