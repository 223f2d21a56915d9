import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Ends a token of provisioning. Its next call is refused; what came by it stays. */
export const revokeDirectoryToken = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['directory.tokenRevoked'],
  changes: ['quorate.directory_tokens'],
  repeat: 'refused',
  async change({ db, principal, now }, { id }) {
    const token = await db
      .updateTable('quorate.directory_tokens')
      .set({ revoked_at: now() })
      .where('workspace_id', '=', principal.workspace.id)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (token === undefined) throw refusal('conflict', 'directoryTokenOver');
    return { result: null, event: { action: 'directory.tokenRevoked', resource: { kind: 'directoryToken', ...token } } };
  },
});
