import { z } from 'zod';
import { examplesSchema } from '#app/domain/audit/policy-example.ts';
import { type CommandCall, defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { savePolicyDraft } from '#app/engine/policy/author-policy.ts';

/** The state of a policy that is written over the revision that its author saw. */
export const policyStateSchema = z.object({
  policy: idSchema,
  revision: z.number().int(),
  name: z.string(),
  description: z.string(),
  text: z.string(),
  examples: examplesSchema.default([]),
});

/** The same in the words of the engine's own functions. */
export const policyStateOf = ({ principal, now }: CommandCall, input: z.output<typeof policyStateSchema>) => {
  const { policy: id, revision: seenRevision, name, description, text, examples } = input;
  return {
    author: { workspaceId: principal.workspace.id, userId: principal.userId },
    draft: { id, seenRevision, name, description, text, examples, now: now() },
  };
};

/** Saves a policy's draft, valid or not. Nothing changes what is in force. `ofVersion`: the version that it is made of. */
export const editPolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: policyStateSchema.extend({ ofVersion: z.number().int().optional() }),
  actions: ['policy.draftSaved'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'byRevision',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'draftChangedMeanwhile' }] } },
  async change(call, input) {
    const { author, draft } = policyStateOf(call, input);
    const { revision } = await savePolicyDraft(call.db, author, draft);
    const payload = { revision, ...(input.ofVersion === undefined ? {} : { version: input.ofVersion }) };
    const resource = { kind: 'policy', id: input.policy, name: input.name };
    return { result: null, event: { action: 'policy.draftSaved', resource, payload } };
  },
});
