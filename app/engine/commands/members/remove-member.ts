import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { LAST_ADMIN, readMember } from '#app/engine/commands/members/member-states.ts';

/** Takes a member out of the workspace: admins anyone, everyone themselves. What they did stays. */
export const removeMember = defineCommand({
  permission: null,
  scope: null,
  input: z.object({ userId: idSchema }),
  actions: ['member.removed'],
  changes: ['quorate.members'],
  repeat: 'refused',
  refusals: { [LAST_ADMIN]: { code: 'invalid_input', reasons: [{ key: 'lastAdmin' }] } },
  async change(call, { userId }) {
    const { db, principal } = call;
    const { name, roles } = await readMember(call, userId);
    const removed = await db
      .deleteFrom('quorate.members')
      .where('workspace_id', '=', principal.workspace.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (removed.numDeletedRows !== 1n) throw new AppError('forbidden');
    return { result: null, event: { action: 'member.removed', resource: { kind: 'member', id: userId, name }, payload: { roles } } };
  },
});
