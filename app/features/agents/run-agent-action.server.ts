import { href, type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedStart } from '#app/components/form/refused-start.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { startAgent } from '#app/engine/commands/runs/start-agent.ts';
import { readRunnableAgent } from '#app/engine/workflows/read-runnable-agent.ts';
import { runAgentSchema } from '#app/features/agents/agent-schema.ts';
import { requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Arguments = { request: Request; params: { agent: string }; context: Readonly<RouterContextProvider> };

/** `test` runs the draft as it stands, for who may author it. */
function modeOf(url: URL): 'live' | 'test' {
  return url.searchParams.get('mode') === 'test' ? 'test' : 'live';
}

/** The form in which a member gives an agent its task. `key`: a second post of the same form starts nothing. */
export async function loadRunAgent({ request, params, context }: Arguments) {
  const { member, read } = context.get(memberContext);
  const mode = modeOf(new URL(request.url));
  assertPermission(member.roles, mode === 'test' ? 'authorWorkflow' : 'startRun');
  const row = await read((db) => readRunnableAgent(db, requireAgentId(params.agent), mode));
  const paused = mode === 'live' && row.status !== 'active';
  return { id: row.id, name: row.name, description: row.description, mode, paused, key: context.get(servicesContext).newId() };
}
export type LoadedRunAgent = Awaited<ReturnType<typeof loadRunAgent>>;

export async function runAgentAction({ request, params, context }: Arguments) {
  const { member } = context.get(memberContext);
  const mode = modeOf(new URL(request.url));
  assertPermission(member.roles, mode === 'test' ? 'authorWorkflow' : 'startRun');
  const id = requireAgentId(params.agent);
  const parsed = await parseForm(request, runAgentSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { task, _key } = parsed.value;
  try {
    const { runId } = await performAsMember(context, startAgent, { agent: id, mode, task, requestKey: _key });
    throw redirect(href('/dashboard/runs/:run', { run: runId }), 303);
  } catch (error) {
    return refusedStart(parsed.reply, error, {
      paused: 'agentPaused',
      conflict: 'agentHasIssues',
      invalid: { fieldErrors: { task: ['invalid'] } },
    });
  }
}
