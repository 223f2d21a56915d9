import { z } from 'zod';
import { AppError } from '#app/domain/errors.ts';
import { checkAgent, workflowOfAgent } from '#app/domain/workflows/agent.ts';
import { type CommandCall, idSchema } from '#app/engine/commands/command.ts';
import { defineStart } from '#app/engine/commands/runs/define-start.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadAgentCatalogue } from '#app/engine/workflows/load-agent-catalogue.ts';
import { readRunnableAgent } from '#app/engine/workflows/read-runnable-agent.ts';

/** Gives an agent its task: live to the published version, or as a test to the current draft. */
export const startAgent = defineStart({
  permission: 'startRun',
  scope: null,
  input: z.object({ agent: idSchema, mode: z.enum(['live', 'test']), task: z.string(), requestKey: z.string() }),
  changes: ['quorate.versions', 'quorate.artifacts'],
  async prepare(call, { agent: id, mode, task }) {
    const agent = await readRunnableAgent(call.db, id, mode);
    const versionId = mode === 'live' && agent.published_version_id !== null ? agent.published_version_id : await freezeDraft(call, id);
    return { artifactId: id, versionId, document: workflowOfAgent(agent), mode, input: { task }, name: agent.name };
  },
});

async function freezeDraft({ db, principal, newId }: CommandCall, id: string): Promise<string> {
  const draft = await loadAgentDraft(db, id);
  if (checkAgent(draft.document, await loadAgentCatalogue(db)).length > 0) throw new AppError('conflict');
  const version = await freezeVersion(db, {
    id: newId(),
    workspaceId: principal.workspace.id,
    artifactId: id,
    authorId: principal.userId,
    document: workflowOfAgent(draft),
    own: { [id]: { name: draft.name, document: draft.document } },
    publish: false,
  });
  return version.id;
}
