import { defineCommand } from '#app/engine/commands/command.ts';
import { policyStateOf, policyStateSchema } from '#app/engine/commands/policies/edit-policy.ts';
import { publishPolicy as freezePolicy } from '#app/engine/policy/author-policy.ts';

/** Freezes a policy's text as the next version and puts it into force. Whoever performs this has validated the text. */
export const publishPolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: policyStateSchema,
  actions: ['policy.published'],
  changes: ['quorate.artifacts', 'quorate.drafts', 'quorate.versions'],
  repeat: 'byRevision',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'draftChangedMeanwhile' }] } },
  async change(call, input) {
    const { author, draft } = policyStateOf(call, input);
    const { number, contentHash } = await freezePolicy(call.db, author, { ...draft, versionId: call.newId() });
    const resource = { kind: 'policy', id: input.policy, name: input.name };
    return { result: null, event: { action: 'policy.published', resource, payload: { version: number, contentHash } } };
  },
});
