import { z } from 'zod';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { registryServerSchema } from '#app/engine/connections/registry/registry-answer.ts';

/** Of one workspace. */
export const MOST_REGISTRIES = 10;

/** Keeps a registry that has been read, with the servers that it named. */
export const addRegistry = defineCommand({
  permission: 'connect',
  scope: null,
  input: z.object({
    id: z.uuid(),
    name: z.string(),
    address: z.string(),
    servers: z.array(registryServerSchema),
    refused: z.int(),
    cut: z.boolean(),
  }),
  actions: ['registry.added'],
  changes: ['quorate.registries'],
  repeat: 'byId',
  // Each address once.
  refusals: { 23505: { code: 'conflict', field: 'address', reasons: [{ key: 'registryKnown' }] } },
  async change({ db, principal, now }, { servers, ...registry }) {
    const kept = await db
      .selectFrom('quorate.registries')
      .select('id')
      .where('workspace_id', '=', principal.workspace.id)
      .limit(MOST_REGISTRIES)
      .execute();
    if (kept.length >= MOST_REGISTRIES) throw refusal('invalid_input', 'tooManyRegistries', { values: { maximum: MOST_REGISTRIES } });
    await db
      .insertInto('quorate.registries')
      .values({ ...registry, workspace_id: principal.workspace.id, servers: JSON.stringify(servers), read_at: now() })
      .execute();
    return {
      result: { id: registry.id },
      event: {
        action: 'registry.added',
        resource: { kind: 'registry', id: registry.id, name: registry.name },
        payload: { address: registry.address, servers: servers.length },
      },
    };
  },
});
