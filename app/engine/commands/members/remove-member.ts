import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, type EventOf, idSchema } from '#app/engine/commands/command.ts';
import { LAST_ADMIN, movesControl, readMember } from '#app/engine/commands/members/member-states.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  rolesNeedSecondPerson,
} from '#app/engine/control/request-control-change.ts';

/**
 * Takes a member out of the workspace: admins anyone, everyone themselves. What they did stays. Another person agrees first where somebody
 * else has a role of control (result `requested`); where there is none, the event says that the two were not separated.
 */
export const removeMember = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ userId: idSchema, reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['member.removed', 'change.requested'],
  changes: ['quorate.members'],
  repeat: 'refused',
  weakens: ['member_remove'],
  refusals: { [LAST_ADMIN]: { code: 'invalid_input', reasons: [{ key: 'lastAdmin' }] }, ...CONTROL_REFUSALS },
  async change(
    call,
    { userId, reason },
  ): Promise<{ result: ControlOutcome<'removed'>; event: EventOf<'member.removed' | 'change.requested'> }> {
    const { db, principal } = call;
    const { name, roles } = await readMember(call, userId);
    if (principal.roles.includes('admin') && (await rolesNeedSecondPerson(call, userId, roles, []))) {
      const asked = { kind: 'member_remove', resource: { id: userId, name }, before: { roles }, after: null, reason } as const;
      return requestControlChange(call, 'change.requested', asked);
    }
    const removed = await db
      .deleteFrom('quorate.members')
      .where('workspace_id', '=', principal.workspace.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (removed.numDeletedRows !== 1n) throw new AppError('forbidden');
    return {
      result: { state: 'removed' },
      event: {
        action: 'member.removed',
        resource: { kind: 'member', id: userId, name },
        payload: { roles, ...(movesControl(roles, [], userId === principal.userId) && { separated: false, reason }) },
      },
    };
  },
});
