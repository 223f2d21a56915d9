import { z } from 'zod';
import { CONTROL_REASON_MAX } from '#app/domain/control/control-reason.ts';
import { AppError } from '#app/domain/errors.ts';
import { checkAgent, workflowOfAgent } from '#app/domain/workflows/agent.ts';
import { defineCommand, idSchema } from '#app/engine/commands/command.ts';
import { CONTROL_REFUSALS } from '#app/engine/control/request-control-change.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { loadAgentCatalogue } from '#app/engine/workflows/load-agent-catalogue.ts';
import { publishVersion } from '#app/engine/workflows/publish-version.ts';

/**
 * Freezes an agent's draft as the next version and puts it into force. Where another person agrees to it first, it waits for them (result
 * `requested`). AppError `conflict` where it changed meanwhile or lacks something.
 */
export const publishAgent = defineCommand({
  permission: 'authorWorkflow',
  scope: null,
  input: z.object({ agent: idSchema, revision: z.number(), reason: z.string().max(CONTROL_REASON_MAX).default('') }),
  actions: ['agent.published', 'change.requested'],
  changes: ['quorate.artifacts', 'quorate.versions'],
  repeat: 'repeats',
  weakens: ['agent_publish'],
  refusals: CONTROL_REFUSALS,
  async change(call, { agent, revision, reason }) {
    const draft = await loadAgentDraft(call.db, agent);
    const issues = checkAgent(draft.document, await loadAgentCatalogue(call.db));
    if (draft.revision !== revision || issues.length > 0) throw new AppError('conflict');
    const { id, name } = draft;
    const own = { [id]: { name, document: draft.document } };
    return publishVersion(call, 'agent.published', { kind: 'agent', id, name, document: workflowOfAgent(draft), own, reason });
  },
});
