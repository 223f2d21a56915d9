import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineInstanceCommand } from '#app/engine/commands/command.ts';

/** Ends the sessions of a subject or of one session at the provider, as it says. `token`: the id of its token, which counts once. */
export const endCompanySessions = defineInstanceCommand({
  input: z.object({
    provider: z.uuid(),
    token: z.string(),
    subject: z.string().nullable(),
    sid: z.string().nullable(),
    expiresAt: z.number(),
  }),
  actions: ['session.endedByCompany'],
  repeat: 'refused',
  async change({ db, newId }, { provider, token, subject, sid, expiresAt }): Promise<number> {
    const key = createHash('sha256').update(`logout ${provider} ${token}`).digest();
    const { rows } = await sql<{ ended: number }>`
      select quorate.end_company_sessions(${provider}, ${subject}, ${sid}, ${key}, to_timestamp(${expiresAt}::float8), ${newId()}) as ended`.execute(
      db,
    );
    const ended = rows[0]?.ended ?? -1;
    if (ended < 0) throw refusal('conflict', 'invalid');
    return ended;
  },
});
