import { z } from 'zod';
import { agentDocumentSchema } from '#app/domain/workflows/agent.ts';
import { defineCommand } from '#app/engine/commands/command.ts';
import { requireQuota } from '#app/engine/plans/require-quota.ts';
import { createArtifact } from '#app/engine/workflows/drafts.ts';

/** Name and description of an agent. */
export const agentAboutSchema = z.object({ name: z.string(), description: z.string(), tags: z.array(z.string()) });

/** Creates an agent. It may be unfinished: its page lists what is missing, and publishing waits for it. */
export const createAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ about: agentAboutSchema, document: agentDocumentSchema }),
  actions: ['agent.created'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'repeats',
  async change({ db, principal, newId, now }, { about, document }) {
    const workspaceId = principal.workspace.id;
    await requireQuota(db, workspaceId, 'agents', now());
    const id = newId();
    await createArtifact(db, { kind: 'agent', id, workspaceId, ownerId: principal.userId, ...about, document });
    return { result: { id }, event: { action: 'agent.created', resource: { kind: 'agent', id, name: about.name } } };
  },
});
