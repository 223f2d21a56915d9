import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Signs with the key that was published as the next one. The one before still opens what was encrypted to it; the one before that goes. */
export const useSamlKey = defineCommand({
  permission: 'manageMembers',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['samlKey.used'],
  changes: ['quorate.saml_keys'],
  repeat: 'refused',
  async change({ db, principal }, { id }) {
    const workspaceId = principal.workspace.id;
    const next = await db
      .selectFrom('quorate.saml_keys')
      .select(['id', 'not_after'])
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '=', 'next')
      .executeTakeFirst();
    if (next === undefined) throw new AppError('not_found');
    await db.deleteFrom('quorate.saml_keys').where('workspace_id', '=', workspaceId).where('state', '=', 'former').execute();
    for (const [from, to] of [
      ['current', 'former'],
      ['next', 'current'],
    ] as const)
      await db
        .updateTable('quorate.saml_keys')
        .set({ state: to })
        .where('workspace_id', '=', workspaceId)
        .where('state', '=', from)
        .execute();
    return {
      result: null,
      event: {
        action: 'samlKey.used',
        resource: { kind: 'samlKey', id, name: '' },
        payload: { notAfter: next.not_after.toISOString() },
      },
    };
  },
});
