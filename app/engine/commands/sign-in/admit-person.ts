import { sql } from 'kysely';
import { z } from 'zod';
import { defineInstanceCommand } from '#app/engine/commands/command.ts';

/** See `quorate.admit_company_person`. */
export type Admission = 'in' | 'off' | 'ended' | 'no_email' | 'prove' | 'make' | 'other_account' | 'other_subject';

/**
 * Finds or makes the account of whoever a provider has vouched for, makes them a member and sets their roles by groups. `proven`: the
 * account that proved itself beside it. `hash` opens a session of the embedded account service once; null on the hosted one.
 */
export const admitPerson = defineInstanceCommand({
  input: z.object({
    provider: z.uuid(),
    subject: z.string().min(1).max(255),
    email: z.string().nullable(),
    verified: z.boolean(),
    name: z.string(),
    groups: z.array(z.string()).nullable(),
    proven: z.uuid().nullable(),
    hash: z.string().nullable(),
  }),
  actions: ['member.admitted'],
  repeat: 'overwrites',
  async change({ db, newId }, given): Promise<{ outcome: Admission; userId: string | null; email: string | null }> {
    const { rows } = await sql<{ outcome: Admission; user_id: string | null; email: string | null }>`
      select * from quorate.admit_company_person(${given.provider}, ${given.subject}, ${given.email}, ${given.verified}, ${given.name},
        ${given.groups}::text[], ${newId()}, ${given.proven}, ${given.hash}, ${newId()})`.execute(db);
    const [row] = rows;
    if (row === undefined) throw new Error('nobody was admitted, and nobody said why');
    return { outcome: row.outcome, userId: row.user_id, email: row.email };
  },
});
