import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { PROVIDER_COUNTS } from '#app/engine/commands/sign-in/provider-input.ts';

/** Removes a provider that does not count. Whom it has vouched for stays known, should it come back. */
export const removeProvider = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['identityProvider.removed'],
  changes: ['quorate.identity_providers'],
  repeat: 'refused',
  refusals: PROVIDER_COUNTS,
  async change({ db, principal }, { id }) {
    const removed = await db
      .deleteFrom('quorate.identity_providers')
      .where('id', '=', id)
      .where('workspace_id', '=', principal.workspace.id)
      .returning(['name', 'issuer'])
      .executeTakeFirst();
    if (removed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'identityProvider.removed',
        resource: { kind: 'identityProvider', id, name: removed.name },
        payload: { issuer: removed.issuer },
      },
    };
  },
});
