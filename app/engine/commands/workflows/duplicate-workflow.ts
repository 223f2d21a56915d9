import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';
import { createArtifact, loadDraft, nameOfCopy } from '#app/engine/workflows/drafts.ts';

/** Creates a workflow from another one's draft, under the first free name. */
export const duplicateWorkflow = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ workflow: idSchema }),
  actions: ['workflow.created'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'repeats',
  async change({ db, principal, newId, now }, { workflow }) {
    const draft = await loadDraft(db, workflow);
    const workspaceId = principal.workspace.id;
    await requireQuota(db, workspaceId, 'workflows', now());
    const id = newId();
    const name = await nameOfCopy(db, 'workflow', draft.name);
    const { description, document } = draft;
    await createArtifact(db, { kind: 'workflow', id, workspaceId, ownerId: principal.userId, name, description, document });
    return {
      result: { id },
      event: { action: 'workflow.created', resource: { kind: 'workflow', id, name }, payload: { copyOf: draft.id } },
    };
  },
});
