import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { registryServerSchema } from '#app/engine/connections/registry/registry-answer.ts';

/** Puts what a registry names now in the place of what it named before. */
export const refreshRegistry = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({ id: idSchema, servers: z.array(registryServerSchema), refused: z.int(), cut: z.boolean() }),
  actions: ['registry.refreshed'],
  changes: ['quorate.registries'],
  repeat: 'overwrites',
  async change({ db, principal, now }, { id, servers, refused, cut }) {
    const changed = await db
      .updateTable('quorate.registries')
      .set({ servers: JSON.stringify(servers), refused, cut, read_at: now() })
      .where('id', '=', id)
      .where('workspace_id', '=', principal.workspace.id)
      .returning(['name', 'address'])
      .executeTakeFirst();
    if (changed === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: {
        action: 'registry.refreshed',
        resource: { kind: 'registry', id, name: changed.name },
        payload: { address: changed.address, servers: servers.length },
      },
    };
  },
});
