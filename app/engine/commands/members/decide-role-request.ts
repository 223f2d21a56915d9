import { sql } from 'kysely';
import { z } from 'zod';
import type { Role } from '#app/contracts/people.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

type Decided = { user_id: string; name: string; before: Role[]; roles: Role[] };

const ACTIONS = { granted: 'member.rolesChanged', refused: 'member.rolesRefused', withdrawn: 'member.rolesWithdrawn' } as const;

/** Grants, refuses or withdraws roles that wait. The database says who may: a second person the first two, who asked the third. */
export const decideRoleRequest = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ request: z.uuid(), outcome: z.enum(['granted', 'refused', 'withdrawn']) }),
  actions: ['member.rolesChanged', 'member.rolesRefused', 'member.rolesWithdrawn'],
  changes: ['quorate.role_requests', 'quorate.members'],
  repeat: 'refused',
  async change({ db }, { request, outcome }) {
    const { rows } = await sql<Decided>`select * from quorate.decide_role_request(${request}::uuid, ${outcome})`.execute(db);
    const [decided] = rows;
    if (decided === undefined) throw new AppError('not_found');
    const { user_id: id, name, before, roles } = decided;
    return {
      result: null,
      event: {
        action: ACTIONS[outcome],
        resource: { kind: 'member', id, name },
        payload: { request, before, after: outcome === 'granted' ? roles : before },
      },
    };
  },
});
