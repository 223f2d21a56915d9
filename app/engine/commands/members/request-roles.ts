import { z } from 'zod';
import { roleSetSchema } from '#app/domain/people/role-set.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { readMember } from '#app/engine/commands/members/member-states.ts';
import { UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';

/** Asks a second person to agree to a member's new roles. One request of a member at a time. */
export const requestRoles = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ userId: idSchema, roles: roleSetSchema }),
  actions: ['member.rolesRequested'],
  changes: ['quorate.role_requests'],
  repeat: 'refused',
  refusals: { [UNIQUE_VIOLATION]: { code: 'invalid_input', field: 'roles', reasons: [{ key: 'rolesWaitAlready' }] } },
  async change(call, { userId, roles }) {
    const { db, principal, newId } = call;
    const before = await readMember(call, userId);
    await db
      .insertInto('quorate.role_requests')
      .values({ id: newId(), workspace_id: principal.workspace.id, user_id: userId, roles, requested_by: principal.userId })
      .execute();
    return {
      result: null,
      event: {
        action: 'member.rolesRequested',
        resource: { kind: 'member', id: userId, name: before.name },
        payload: { before: before.roles, requested: roles },
      },
    };
  },
});
