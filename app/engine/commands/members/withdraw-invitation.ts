import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Withdraws an invitation that nobody has answered; its link stops working. */
export const withdrawInvitation = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ invitation: z.uuid() }),
  actions: ['invitation.withdrawn'],
  changes: ['quorate.invitations'],
  repeat: 'refused',
  async change({ db, now }, { invitation }) {
    const withdrawn = await db
      .updateTable('quorate.invitations')
      .set({ withdrawn_at: now() })
      .where('id', '=', invitation)
      .where('accepted_at', 'is', null)
      .where('declined_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .returning(['email', 'roles'])
      .executeTakeFirst();
    if (withdrawn === undefined) throw new AppError('conflict');
    const { email, roles } = withdrawn;
    return {
      result: null,
      event: { action: 'invitation.withdrawn', resource: { kind: 'invitation', id: invitation, name: email }, payload: { roles } },
    };
  },
});
