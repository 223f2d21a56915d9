import { z } from 'zod';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { createArtifact, nameOfCopy } from '#app/engine/workflows/drafts.ts';

/** Creates an agent from another one's draft, under the first free name. */
export const duplicateAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ agent: idSchema }),
  actions: ['agent.created'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'repeats',
  async change({ db, principal, newId, now }, { agent }) {
    const draft = await loadAgentDraft(db, agent);
    const workspaceId = principal.workspace.id;
    await requireQuota(db, workspaceId, 'agents', now());
    const id = newId();
    const name = await nameOfCopy(db, 'agent', draft.name);
    const { description, tags, document } = draft;
    await createArtifact(db, { kind: 'agent', id, workspaceId, ownerId: principal.userId, name, description, tags, document });
    return { result: { id }, event: { action: 'agent.created', resource: { kind: 'agent', id, name }, payload: { copyOf: draft.id } } };
  },
});
