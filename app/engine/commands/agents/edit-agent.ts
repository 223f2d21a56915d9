import { z } from 'zod';
import { agentDocumentSchema } from '#app/domain/workflows/agent.ts';
import { agentAboutSchema } from '#app/engine/commands/agents/create-agent.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { saveDraft } from '#app/engine/workflows/drafts.ts';

/** Saves an agent's draft; the active version stays until the next one is published. */
export const editAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ agent: idSchema, revision: z.number().int().min(0), about: agentAboutSchema, document: agentDocumentSchema }),
  actions: ['agent.edited'],
  changes: ['quorate.artifacts', 'quorate.drafts'],
  repeat: 'byRevision',
  refusals: { conflict: { code: 'conflict', reasons: [{ key: 'draftChanged' }] } },
  async change({ db, principal, now }, { agent, revision, about, document }) {
    const { id } = await loadAgentDraft(db, agent);
    await saveDraft(db, { artifactId: id, expectedRevision: revision, about, document, authorId: principal.userId, now: now() });
    return { result: null, event: { action: 'agent.edited', resource: { kind: 'agent', id, name: about.name } } };
  },
});
