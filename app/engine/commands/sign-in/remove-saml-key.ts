import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Deletes a key of the workspace's SAML that is not in use: the one to come, or the one before. */
export const removeSamlKey = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['samlKey.removed'],
  changes: ['quorate.saml_keys'],
  repeat: 'refused',
  async change({ db, principal }, { id }) {
    const removed = await db
      .deleteFrom('quorate.saml_keys')
      .where('workspace_id', '=', principal.workspace.id)
      .where('id', '=', id)
      .where('state', '<>', 'current')
      .returning('state')
      .executeTakeFirst();
    if (removed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: { action: 'samlKey.removed', resource: { kind: 'samlKey', id, name: '' }, payload: { state: removed.state } },
    };
  },
});
