import { href, type RouterContextProvider } from 'react-router';
import { readReason, refusedAsk, toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { EMPTY_AGENT } from '#app/domain/workflows/agent.ts';
import { activateAgent } from '#app/engine/commands/agents/activate-agent.ts';
import { deleteAgent } from '#app/engine/commands/agents/delete-agent.ts';
import { duplicateAgent } from '#app/engine/commands/agents/duplicate-agent.ts';
import { publishAgent } from '#app/engine/commands/agents/publish-agent.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { checkConnection } from '#app/engine/connections/check-connection.ts';
import { loadAgent, readPeers, requireAgentAuthor, requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; params: { agent: string }; context: Readonly<RouterContextProvider> };
type Command = Omit<Arguments, 'request'> & { id: string; page: string };

/** Publish, check, pause, resume, duplicate: the buttons of an agent's page. */
export async function agentCommandAction({ request, params, context }: Arguments) {
  requireAgentAuthor(context);
  const form = await request.formData();
  const id = requireAgentId(params.agent);
  const command: Command = { params, context, id, page: href('/dashboard/agents/authored/:agent', { agent: id }) };
  switch (form.get('intent')) {
    case 'publish':
      return await publish(command, form);
    case 'check':
      return await check(command);
    case 'pause':
      return await setActive(command, false);
    case 'resume':
      return await setActive(command, true);
    case 'duplicate':
      return await duplicate(command);
    default:
      throw new AppError('invalid_input');
  }
}

async function publish({ context, id, page }: Command, form: FormData) {
  try {
    const revision = Number(form.get('revision'));
    const outcome = await performAsMember(context, publishAgent, { agent: id, revision, reason: readReason(form) });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    if (error instanceof Refusal) return refusedAsk(error, page);
    if (error instanceof AppError && error.code === 'conflict')
      throw redirectWithNotice(page, 'draftChangedMeanwhile', { kind: 'attention' });
    throw error;
  }
  return redirectWithNotice(page, 'agentPublished');
}

/** Inspects every connection of the agent again. Capabilities may have changed, and its page then lists what is missing. */
async function check({ context, params, page }: Command): Promise<never> {
  const access = requireAgentAuthor(context);
  assertPermission(access.member.roles, 'connect');
  const { published, draft } = await loadAgent({ params, context });
  const peers = await access.read((db) => readPeers(db, published?.document ?? draft?.document ?? EMPTY_AGENT));
  const found = await Promise.all(
    peers.map(({ sealed_credential: sealedCredential, ...peer }) =>
      checkConnection(memberPrincipal(access), context.get(servicesContext), { ...peer, sealedCredential }),
    ),
  );
  if (found.includes('failed')) throw redirectWithNotice(page, 'agentCheckFailed', { kind: 'danger' });
  if (found.includes('news')) throw redirectWithNotice(page, 'agentHasNews', { kind: 'attention' });
  throw redirectWithNotice(page, 'agentChecked');
}

async function setActive({ context, id, page }: Command, active: boolean): Promise<never> {
  await performAsMember(context, activateAgent, { agent: id, active });
  throw redirectWithNotice(page, active ? 'agentResumed' : 'agentPaused');
}

async function duplicate({ context, id }: Command): Promise<never> {
  const copy = await performAsMember(context, duplicateAgent, { agent: id });
  throw redirectWithNotice(href('/dashboard/agents/authored/:agent/edit', { agent: copy.id }), 'agentDuplicated');
}

/** The button that deletes an agent. */
export async function deleteAgentAction({ params, context }: Omit<Arguments, 'request'>): Promise<never> {
  await performAsMember(context, deleteAgent, { agent: requireAgentId(params.agent) });
  throw redirectWithNotice(href('/dashboard/agents'), 'agentDeleted');
}
