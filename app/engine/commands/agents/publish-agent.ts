import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { checkAgent, workflowOfAgent } from '#app/domain/workflows/agent.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadAgentCatalogue } from '#app/engine/workflows/load-agent-catalogue.ts';

/** Freezes an agent's draft as the next version and puts it into force. AppError `conflict` where it changed meanwhile or lacks something. */
export const publishAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ agent: idSchema, revision: z.number() }),
  actions: ['agent.published'],
  changes: ['quorate.artifacts', 'quorate.versions'],
  repeat: 'repeats',
  async change({ db, principal, newId, now }, { agent, revision }) {
    const draft = await loadAgentDraft(db, agent);
    const issues = checkAgent(draft.document, await loadAgentCatalogue(db));
    if (draft.revision !== revision || issues.length > 0) throw new AppError('conflict');
    const { id, name } = draft;
    const { number, contentHash } = await freezeVersion(db, {
      id: newId(),
      workspaceId: principal.workspace.id,
      artifactId: id,
      authorId: principal.userId,
      document: workflowOfAgent(draft),
      own: { [id]: { name, document: draft.document } },
      publish: true,
      now: now(),
    });
    return {
      result: null,
      event: { action: 'agent.published', resource: { kind: 'agent', id, name }, payload: { version: number, contentHash } },
    };
  },
});
