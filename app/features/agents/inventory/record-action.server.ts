import { href, type RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { recordAgent } from '#app/engine/commands/agents/record-agent.ts';
import { inventorySchema } from '#app/features/agents/inventory/inventory-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; context: Readonly<RouterContextProvider>; params: { agent: string } };

/** Saves the record of an agent. */
export async function recordAgentAction({ request, context, params: { agent } }: Arguments) {
  const parsed = await parseForm(request, inventorySchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { owner = null, riskClass = null, reviewOn = null, ...more } = parsed.value;
  try {
    const outcome = await performAsMember(context, recordAgent, { agent, owner, riskClass, reviewOn, ...more });
    if (outcome.state === 'requested')
      return redirectWithNotice(href('/dashboard/changes/:change', { change: outcome.asked }), 'inventoryAsked');
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/agents/inventory/:agent', { agent }), 'inventorySaved');
}
