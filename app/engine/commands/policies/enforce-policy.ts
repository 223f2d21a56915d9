import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { setPolicyInForce } from '#app/engine/policy/author-policy.ts';

/** Pauses or activates a published policy. AppError `conflict` where it is so already. */
export const enforcePolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: z.object({ policy: idSchema, inForce: z.boolean() }),
  actions: ['policy.activated', 'policy.paused'],
  changes: ['quorate.artifacts'],
  repeat: 'refused',
  async change({ db, now }, { policy: id, inForce }) {
    const { name } = await setPolicyInForce(db, { id, inForce, now: now() });
    return {
      result: null,
      event: { action: inForce ? 'policy.activated' : 'policy.paused', resource: { kind: 'policy', id, name } },
    };
  },
});
