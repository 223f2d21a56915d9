import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { defineCommand, type EventOf, idSchema } from '#app/engine/commands/command.ts';
import { putInForce } from '#app/engine/control/in-force.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';
import { holdPolicy } from '#app/engine/policy/author-policy.ts';

/**
 * Pauses or activates a published policy. Where there is another person, it waits until they agree (result `requested`); where there is
 * none, the event says that the two were not separated. AppError `conflict` where it is so already.
 */
export const enforcePolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: z.object({ policy: idSchema, inForce: z.boolean(), reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['policy.activated', 'policy.paused', 'change.requested'],
  changes: ['quorate.artifacts'],
  repeat: 'refused',
  weakens: ['policy_pause', 'policy_activate'],
  refusals: CONTROL_REFUSALS,
  async change(
    call,
    { policy: id, inForce, reason },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'policy.activated' | 'policy.paused' | 'change.requested'> }> {
    const { db, now } = call;
    const { name, before, after } = await holdPolicy(db, { id, inForce });
    if (await secondPersonAgrees(db)) {
      const kind = inForce ? 'policy_activate' : 'policy_pause';
      return requestControlChange(call, 'change.requested', { kind, resource: { id, name }, before, after, reason });
    }
    await putInForce(db, { kind: 'policy', id, state: after, now: now() });
    return {
      result: { state: 'done' },
      event: {
        action: inForce ? 'policy.activated' : 'policy.paused',
        resource: { kind: 'policy', id, name },
        payload: { before, after, separated: false, reason },
      },
    };
  },
});
