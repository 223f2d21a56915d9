import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { roleSetSchema } from '#app/domain/people/role-set.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, type EventOf, idSchema } from '#app/engine/commands/command.ts';
import { LAST_ADMIN, movesControl, readMember } from '#app/engine/commands/members/member-states.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  rolesNeedSecondPerson,
} from '#app/engine/control/request-control-change.ts';
import { directoryDecides } from '#app/engine/directory/directory-decides.ts';

/**
 * Gives a member this set of roles, and takes every other. Where somebody else gains or loses a role of control and there is another person,
 * the roles wait for that person (result `requested`); where there is none, the event says that the two were not separated.
 */
export const changeRoles = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ userId: idSchema, roles: roleSetSchema, reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['member.rolesChanged', 'member.rolesRequested'],
  changes: ['quorate.members'],
  repeat: 'overwrites',
  weakens: ['member_roles'],
  refusals: {
    [LAST_ADMIN]: { code: 'invalid_input', field: 'roles', reasons: [{ key: 'lastAdmin' }] },
    ...CONTROL_REFUSALS,
  },
  async change(
    call,
    { userId, roles, reason },
  ): Promise<{ result: ControlOutcome<'changed'>; event: EventOf<'member.rolesChanged' | 'member.rolesRequested'> }> {
    const { db, principal } = call;
    const before = await readMember(call, userId);
    if (await directoryDecides(db, userId, roles)) throw refusal('conflict', 'directoryDecides', { field: 'roles' });
    if (before.endsAt !== null && roles.includes('admin')) throw refusal('invalid_input', 'adminHasNoEnd', { field: 'roles' });
    if (await rolesNeedSecondPerson(call, userId, before.roles, roles)) {
      const asked = { kind: 'member_roles', resource: { id: userId, name: before.name }, before: { roles: before.roles } } as const;
      return requestControlChange(call, 'member.rolesRequested', { ...asked, after: { roles }, reason });
    }
    const changed = await db
      .updateTable('quorate.members')
      .set({ roles })
      .where('workspace_id', '=', principal.workspace.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (changed.numUpdatedRows !== 1n) throw new AppError('forbidden');
    return {
      result: { state: 'changed' },
      event: {
        action: 'member.rolesChanged',
        resource: { kind: 'member', id: userId, name: before.name },
        payload: {
          before: before.roles,
          after: roles,
          ...(movesControl(before.roles, roles, userId === principal.userId) && { separated: false, reason }),
        },
      },
    };
  },
});
