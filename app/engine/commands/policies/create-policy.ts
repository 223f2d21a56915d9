import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { createPolicy as insertPolicy } from '#app/engine/policy/author-policy.ts';
import { POLICY_TEMPLATES } from '#app/engine/policy/templates/policy-templates.ts';

/** Makes a policy without a rule, or with those of a template and their examples. Nothing of it is in force. */
export const createPolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: z.object({ name: z.string().min(1), description: z.string(), template: z.string().default('') }),
  actions: ['policy.created'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'repeats',
  async change({ db, principal, newId }, { name, description, template }) {
    const id = newId();
    const begun = POLICY_TEMPLATES.find(({ slug }) => slug === template);
    await insertPolicy(
      db,
      { workspaceId: principal.workspace.id, userId: principal.userId },
      {
        ...{ id, name, description },
        text: begun?.text ?? '',
        examples: begun?.examples ?? [],
      },
    );
    return { result: { id }, event: { action: 'policy.created', resource: { kind: 'policy', id, name } } };
  },
});
