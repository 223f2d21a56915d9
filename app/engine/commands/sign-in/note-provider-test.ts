import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Notes that a test sign-in by this provider came back with the claims that it should. From then on it can be turned on. */
export const noteProviderTest = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['identityProvider.tested'],
  changes: ['quorate.identity_providers'],
  repeat: 'overwrites',
  async change({ db, principal, now }, { id }) {
    const tested = await db
      .updateTable('quorate.identity_providers')
      .set({ tested_at: now() })
      .where('id', '=', id)
      .where('workspace_id', '=', principal.workspace.id)
      .returning(['name', 'issuer'])
      .executeTakeFirst();
    if (tested === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'identityProvider.tested',
        resource: { kind: 'identityProvider', id, name: tested.name },
        payload: { issuer: tested.issuer },
      },
    };
  },
});
