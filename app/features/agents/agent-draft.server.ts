import { type AgentDocument, type AgentTool, agentDocumentSchema, EMPTY_AGENT } from '#app/domain/workflows/agent.ts';
import type { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import type { AgentForm } from '#app/features/agents/agent-schema.ts';

export type AgentDraft = Awaited<ReturnType<typeof loadAgentDraft>>;

const cutAt = (text: string, mark: string): [string, string] | null => {
  const at = text.indexOf(mark);
  return at > 0 && at < text.length - 1 ? [text.slice(0, at), text.slice(at + 1)] : null;
};

/** The document that a submitted form describes. */
export function documentFromForm(form: AgentForm): AgentDocument {
  const model = cutAt(form.model, '/');
  const tools = form.tools.flatMap((text): AgentTool[] => {
    const [kind, target] = cutAt(text, ':') ?? [];
    const named = target === undefined ? null : cutAt(target, '/');
    return named === null || (kind !== 'tool' && kind !== 'skill') ? [] : [{ kind, connection: named[0], capability: named[1] }];
  });
  return agentDocumentSchema.parse({
    ...EMPTY_AGENT,
    instructions: form.instructions,
    connection: model?.[0] ?? null,
    model: model?.[1] ?? null,
    maxTokens: form.maxTokens ?? null,
    tools,
    budget: {
      steps: form.steps,
      tokens: form.tokens,
      costMicros: form.cost === undefined ? null : Math.round(form.cost * 1_000_000),
      seconds: form.seconds,
    },
  });
}

/** At most twelve, each once. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, 40));
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, 12);
}
