import { z } from 'zod';
import { defineCommand } from '#app/engine/commands/command.ts';
import { createPolicy as insertPolicy } from '#app/engine/policy/author-policy.ts';

/** Makes a policy without a rule. Nothing of it is in force. */
export const createPolicy = defineCommand({
  permission: 'authorPolicy',
  scope: null,
  input: z.object({ name: z.string().min(1), description: z.string() }),
  actions: ['policy.created'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'repeats',
  async change({ db, principal, newId }, { name, description }) {
    const id = newId();
    await insertPolicy(db, { workspaceId: principal.workspace.id, userId: principal.userId }, { id, name, description, text: '' });
    return { result: { id }, event: { action: 'policy.created', resource: { kind: 'policy', id, name } } };
  },
});
