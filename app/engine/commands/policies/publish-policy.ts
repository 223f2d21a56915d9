import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { refusal } from '#app/domain/refusal.ts';
import { defineCommand, type EventOf } from '#app/engine/commands/command.ts';
import { policyStateOf, policyStateSchema } from '#app/engine/commands/policies/edit-policy.ts';
import { putInForce } from '#app/engine/control/in-force.ts';
import {
  CONTROL_REFUSALS,
  type ControlOutcome,
  requestControlChange,
  secondPersonAgrees,
} from '#app/engine/control/request-control-change.ts';
import { freezePolicy } from '#app/engine/policy/author-policy.ts';
import { failingExample } from '#app/engine/policy/examples/run-examples.ts';
import { loadToolSchemas } from '#app/engine/policy/inputs/load-tools.ts';

/**
 * Freezes a policy's text as the next version and puts it into force. Where there is another person, the version waits until they agree
 * (result `requested`); where there is none, the event says that the two were not separated. Whoever performs this has validated the text; an
 * example of the policy that fails refuses it.
 */
export const publishPolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: policyStateSchema.extend({ reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['policy.published', 'change.requested'],
  changes: ['quorate.artifacts', 'quorate.drafts', 'quorate.versions'],
  repeat: 'byRevision',
  weakens: ['policy_publish'],
  refusals: { ...CONTROL_REFUSALS, conflict: { code: 'conflict', reasons: [{ key: 'draftChangedMeanwhile' }] } },
  async change(
    call,
    { reason, ...input },
  ): Promise<{ result: ControlOutcome<'done'>; event: EventOf<'policy.published' | 'change.requested'> }> {
    const { db, newId } = call;
    const { author, draft } = policyStateOf(call, input);
    const failing = failingExample(draft.text, draft.examples, await loadToolSchemas(db, author.workspaceId));
    if (failing !== null) throw refusal('invalid_input', 'exampleFails', { field: 'text', values: { name: failing.name } });
    const { number, contentHash, before, after } = await freezePolicy(db, author, { ...draft, versionId: newId() });
    const resource = { id: input.policy, name: input.name };
    if (await secondPersonAgrees(db)) {
      return requestControlChange(call, 'change.requested', { kind: 'policy_publish', resource, before, after, reason });
    }
    await putInForce(db, { kind: 'policy', id: resource.id, state: after, now: draft.now });
    return {
      result: { state: 'done' },
      event: {
        action: 'policy.published',
        resource: { kind: 'policy', ...resource },
        payload: { version: number, contentHash, separated: false, reason },
      },
    };
  },
});
