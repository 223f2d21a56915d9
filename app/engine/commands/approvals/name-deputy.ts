import { sql } from 'kysely';
import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

const REASON_MAX_CHARACTERS = 500;

/**
 * Names who takes a member's approvals while they are away: everyone for themselves, admins for anyone. With `from` and `until` null the
 * deputy takes nothing and is told of what is nearly due. Nobody may decide more for it.
 */
export const nameDeputy = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    id: idSchema,
    user: idSchema,
    deputy: idSchema,
    from: z.date().nullable(),
    until: z.date().nullable(),
    reason: z.string().trim().max(REASON_MAX_CHARACTERS),
  }),
  actions: ['deputy.named'],
  changes: ['quorate.deputies'],
  repeat: 'byId',
  refusals: {
    QD001: { code: 'not_found', field: 'user', reasons: [{ key: 'deputyUser' }] },
    QD002: { code: 'forbidden', reasons: [{ key: 'deputyForbidden' }] },
    QD003: { code: 'forbidden', reasons: [{ key: 'deputyForbidden' }] },
    QD004: { code: 'invalid_input', field: 'user', reasons: [{ key: 'deputyUser' }] },
    QD005: { code: 'invalid_input', field: 'deputy', reasons: [{ key: 'deputySelf' }] },
    QD006: { code: 'invalid_input', field: 'deputy', reasons: [{ key: 'deputyRole' }] },
    QD007: { code: 'invalid_input', field: 'until', reasons: [{ key: 'deputyTime' }] },
    QD008: { code: 'conflict', field: 'from', reasons: [{ key: 'deputyTaken' }] },
    QD009: { code: 'conflict', field: 'deputy', reasons: [{ key: 'deputyAway' }] },
  },
  async change({ db }, { id, user, deputy, from, until, reason }) {
    const { rows } = await sql<{ a: { name: string } }>`
      select quorate.name_deputy(${id}, ${user}, ${deputy}, ${from}, ${until}, ${reason}) as a`.execute(db);
    const [row] = rows;
    if (row === undefined) throw new Error('name_deputy answered nothing');
    const time: { [key: string]: string } = from === null || until === null ? {} : { from: from.toISOString(), until: until.toISOString() };
    const resource = { kind: 'member', id: user, name: row.a.name } as const;
    return { result: null, event: { action: 'deputy.named', resource, payload: { deputy, ...time } } };
  },
});
