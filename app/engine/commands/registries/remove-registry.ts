import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';

/** Takes a registry and its servers out of the marketplace. Connections that were made from it stay. */
export const removeRegistry = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({ id: idSchema }),
  actions: ['registry.removed'],
  changes: ['quorate.registries'],
  repeat: 'refused',
  async change({ db, principal }, { id }) {
    const removed = await db
      .deleteFrom('quorate.registries')
      .where('id', '=', id)
      .where('workspace_id', '=', principal.workspace.id)
      .returning(['name', 'address'])
      .executeTakeFirst();
    if (removed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'registry.removed',
        resource: { kind: 'registry', id, name: removed.name },
        payload: { address: removed.address },
      },
    };
  },
});
