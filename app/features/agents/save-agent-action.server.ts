import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { createAgent } from '#app/engine/commands/agents/create-agent.ts';
import { editAgent } from '#app/engine/commands/agents/edit-agent.ts';
import { documentFromForm, tagsOf } from '#app/features/agents/agent-draft.server.ts';
import { type AgentForm, agentFormSchema } from '#app/features/agents/agent-schema.ts';
import { requireAgentAuthor, requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; context: Readonly<RouterContextProvider> };

const stateOf = (form: AgentForm) => ({
  about: { name: form.name, description: form.description, tags: tagsOf(form.tags) },
  document: documentFromForm(form),
});

/** Makes an agent. */
export async function createAgentAction({ request, context }: Arguments) {
  requireAgentAuthor(context);
  const parsed = await parseForm(request, agentFormSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { id } = await performAsMember(context, createAgent, stateOf(parsed.value));
  throw redirectWithNotice(href('/dashboard/agents/authored/:agent', { agent: id }), 'agentSaved');
}

/** Saves an agent's draft. */
export async function saveAgentAction({ request, params, context }: Arguments & { params: { agent: string } }) {
  requireAgentAuthor(context);
  const agent = requireAgentId(params.agent);
  const parsed = await parseForm(request, agentFormSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    await performAsMember(context, editAgent, { agent, revision: parsed.value.revision, ...stateOf(parsed.value) });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  throw redirectWithNotice(href('/dashboard/agents/authored/:agent', { agent }), 'agentSaved');
}
