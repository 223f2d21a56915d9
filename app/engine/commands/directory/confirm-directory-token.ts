import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Lets a token that another admin has made give and take roles of control. The database refuses its maker. */
export const confirmDirectoryToken = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['directory.tokenConfirmed'],
  changes: ['quorate.directory_tokens'],
  repeat: 'refused',
  async change({ db, principal, now }, { id }) {
    const token = await db
      .updateTable('quorate.directory_tokens')
      .set({ confirmed_by: principal.userId, confirmed_at: now() })
      .where('workspace_id', '=', principal.workspace.id)
      .where('id', '=', id)
      .where('confirmed_by', 'is', null)
      .where('created_by', '!=', principal.userId)
      .where('revoked_at', 'is', null)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (token === undefined) throw refusal('conflict', 'directoryTokenOver');
    return { result: null, event: { action: 'directory.tokenConfirmed', resource: { kind: 'directoryToken', ...token } } };
  },
});
