import { sql } from 'kysely';
import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Ends the time of a deputy early: the member who is away, the deputy, and admins. */
export const endDeputy = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['deputy.ended'],
  changes: ['quorate.deputies'],
  repeat: 'refused',
  refusals: {
    QD001: { code: 'not_found', reasons: [{ key: 'deputyOver' }] },
    QD002: { code: 'forbidden', reasons: [{ key: 'deputyForbidden' }] },
    QD010: { code: 'conflict', reasons: [{ key: 'deputyOver' }] },
  },
  async change({ db }, { id }) {
    const { rows } = await sql<{ a: { user: string; name: string; deputy: string } }>`select quorate.end_deputy(${id}) as a`.execute(db);
    const [row] = rows;
    if (row === undefined) throw new Error('end_deputy answered nothing');
    const resource = { kind: 'member', id: row.a.user, name: row.a.name } as const;
    return { result: null, event: { action: 'deputy.ended', resource, payload: { deputy: row.a.deputy } } };
  },
});
