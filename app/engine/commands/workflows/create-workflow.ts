import { z } from 'zod';
import { workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';
import { createArtifact } from '#app/engine/workflows/drafts.ts';

/** Makes a workflow with a draft. It is in force only when a person has published it. `template`: what it was made of. */
export const createWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: 'workflows:write',
  input: z.object({
    name: z.string().trim().min(1).max(120),
    description: z.string().trim().max(2000),
    document: workflowDocumentSchema,
    template: z.string().nullable(),
  }),
  actions: ['workflow.created'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'repeats',
  async change({ db, principal, newId, now }, { name, description, document, template }) {
    const workspaceId = principal.workspace.id;
    await requireQuota(db, workspaceId, 'workflows', now());
    const id = newId();
    await createArtifact(db, { kind: 'workflow', id, workspaceId, ownerId: principal.userId, name, description, document });
    return { result: { id }, event: { action: 'workflow.created', resource: { kind: 'workflow', id, name }, payload: { template } } };
  },
});
