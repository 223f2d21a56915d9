import { type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { queueFull } from '#app/components/form/queue-full.server.ts';
import { checkAgent, workflowOfAgent } from '#app/domain/agent.ts';
import { AppError } from '#app/domain/errors.ts';
import { demand } from '#app/domain/roles.ts';
import type { Db } from '#app/engine/db.ts';
import { startRunOnce } from '#app/engine/runs/start-run-once.ts';
import { loadAgentDraft } from '#app/engine/workflows/agent-draft.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadAgentCatalogue } from '#app/engine/workflows/load-agent-catalogue.ts';
import { runAgentSchema } from '#app/features/agents/agent-schema.ts';
import { requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { memberContext, memberStarter, servicesContext } from '#app/request-context.ts';

type Arguments = { request: Request; params: { agent: string }; context: Readonly<RouterContextProvider> };

/** `test` runs the draft as it stands, for who may author it. */
function modeOf(url: URL): 'live' | 'test' {
  return url.searchParams.get('mode') === 'test' ? 'test' : 'live';
}

async function readRunnable(db: Db, id: string, mode: 'live' | 'test') {
  const row = await db
    .selectFrom('quorate.artifacts')
    .where('id', '=', id)
    .where('kind', '=', 'agent')
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'description', 'status', 'published_version_id'])
    .executeTakeFirst();
  if (row === undefined || (mode === 'live' && row.published_version_id === null)) throw new AppError('not_found');
  return row;
}

/** The form in which a member gives an agent its task. `key`: a second post of the same form starts nothing. */
export async function loadRunAgent({ request, params, context }: Arguments) {
  const { member, read } = context.get(memberContext);
  const mode = modeOf(new URL(request.url));
  demand(member.roles, mode === 'test' ? 'authorWorkflow' : 'startRun');
  const row = await read((db) => readRunnable(db, requireAgentId(params.agent), mode));
  const paused = mode === 'live' && row.status !== 'active';
  return { id: row.id, name: row.name, description: row.description, mode, paused, key: context.get(servicesContext).newId() };
}
export type LoadedRunAgent = Awaited<ReturnType<typeof loadRunAgent>>;

export async function runAgentAction({ request, params, context }: Arguments) {
  const access = context.get(memberContext);
  const { member } = access;
  const services = context.get(servicesContext);
  const mode = modeOf(new URL(request.url));
  demand(member.roles, mode === 'test' ? 'authorWorkflow' : 'startRun');
  const id = requireAgentId(params.agent);
  const parsed = await parseForm(request, runAgentSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { task, _key } = parsed.value;
  const { userId, workspace } = member;
  try {
    const { runId } = await startRunOnce(memberStarter(access), services, {
      requestKey: _key,
      async prepare(db) {
        const agent = await readRunnable(db, id, mode);
        const versionId = mode === 'live' && agent.published_version_id !== null ? agent.published_version_id : await freezeDraft(db);
        return { artifactId: id, versionId, document: workflowOfAgent(agent), mode, input: { task }, name: agent.name };
      },
    });
    throw redirect(`/dashboard/runs/${runId}`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'halted') return invalidForm(parsed.reply, { formErrors: ['workspaceHalted'] }, 423);
    if (error.code === 'quota_exceeded') return invalidForm(parsed.reply, { formErrors: ['quotaExceeded'] }, 402);
    if (error.values.what === 'queue') return queueFull(parsed.reply, error);
    if (error.values.what === 'paused') return invalidForm(parsed.reply, { formErrors: ['agentPaused'] }, 409);
    if (error.code === 'conflict') return invalidForm(parsed.reply, { formErrors: ['agentHasIssues'] }, 409);
    if (error.code === 'invalid_input') return invalidForm(parsed.reply, { fieldErrors: { task: ['invalid'] } });
    throw error;
  }

  async function freezeDraft(db: Db): Promise<string> {
    const draft = await loadAgentDraft(db, id);
    if (checkAgent(draft.document, await loadAgentCatalogue(db)).length > 0) throw new AppError('conflict');
    const version = await freezeVersion(db, {
      id: services.newId(),
      workspaceId: workspace.id,
      artifactId: id,
      authorId: userId,
      document: workflowOfAgent(draft),
      own: { [id]: { name: draft.name, document: draft.document } },
      publish: false,
      now: services.now(),
    });
    return version.id;
  }
}
