import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand } from '#app/engine/commands/command.ts';

/** Notes that a request to the operator was answered, or takes that back. The log says who did, and nothing of what was written. */
export const answerContact = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ request: z.uuid(), answered: z.boolean() }),
  actions: ['contact.answered', 'contact.reopened'],
  changes: ['quorate.contact_requests'],
  repeat: 'overwrites',
  async change({ db, principal, now }, { request: id, answered }) {
    const changed = await db
      .updateTable('quorate.contact_requests')
      .set({ answered_at: answered ? now() : null, answered_by: answered ? principal.userId : null })
      .where('id', '=', id)
      .executeTakeFirst();
    if (changed.numUpdatedRows !== 1n) throw new AppError('not_found');
    return { result: null, event: { action: answered ? 'contact.answered' : 'contact.reopened', resource: { kind: 'contact', id } } };
  },
});
