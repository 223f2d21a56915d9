import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { roleSetSchema } from '#app/domain/people/role-set.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { LAST_ADMIN, readMember } from '#app/engine/commands/members/member-states.ts';

/** Gives a member this set of roles, and takes every other. The database has a second person agree to a new approver (QM002). */
export const changeRoles = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ userId: idSchema, roles: roleSetSchema }),
  actions: ['member.rolesChanged'],
  changes: ['quorate.members'],
  repeat: 'overwrites',
  refusals: { [LAST_ADMIN]: { code: 'invalid_input', field: 'roles', reasons: [{ key: 'lastAdmin' }] } },
  async change(call, { userId, roles }) {
    const { db, principal } = call;
    const before = await readMember(call, userId);
    const changed = await db
      .updateTable('quorate.members')
      .set({ roles })
      .where('workspace_id', '=', principal.workspace.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (changed.numUpdatedRows !== 1n) throw new AppError('forbidden');
    return {
      result: null,
      event: {
        action: 'member.rolesChanged',
        resource: { kind: 'member', id: userId, name: before.name },
        payload: { before: before.roles, after: roles },
      },
    };
  },
});
