import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { setActive } from '#app/engine/commands/workflows/artifact-states.ts';

/** Pauses or resumes a gateway. Paused, it is not found by its callers; calls under way finish. */
export const activateGateway = defineCommand({
  permission: 'keepGateway',
  scope: null,
  input: z.object({ gateway: idSchema, active: z.boolean() }),
  actions: ['gateway.resumed', 'gateway.paused'],
  changes: ['quorate.artifacts'],
  repeat: 'overwrites',
  async change(call, { gateway, active }) {
    const row = await setActive(call, 'gateway', gateway, active);
    return {
      result: null,
      event: { action: active ? 'gateway.resumed' : 'gateway.paused', resource: { kind: 'gateway', id: row.id, name: row.name } },
    };
  },
});
