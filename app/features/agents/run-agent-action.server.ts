import { type RouterContextProvider, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { checkAgent, workflowOfAgent } from '#app/domain/agent.ts';
import { AppError } from '#app/domain/errors.ts';
import { demand } from '#app/domain/roles.ts';
import type { Db } from '#app/engine/db.ts';
import { findRunByRequestKey, startRun } from '#app/engine/runs/start-run.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadAgentDraft } from '#app/features/agents/agent-draft.server.ts';
import { runAgentSchema } from '#app/features/agents/agent-schema.ts';
import { requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { loadAgentCatalogue } from '#app/features/agents/load-agent-catalogue.server.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

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
  const { member, read, change } = context.get(memberContext);
  const services = context.get(servicesContext);
  const mode = modeOf(new URL(request.url));
  demand(member.roles, mode === 'test' ? 'authorWorkflow' : 'startRun');
  const id = requireAgentId(params.agent);
  const parsed = await parseForm(request, runAgentSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { task, _key } = parsed.value;
  const { userId, workspace } = member;
  const first = await read((db) => findRunByRequestKey(db, { workspaceId: workspace.id, initiatorId: userId, requestKey: _key }));
  if (first !== null) throw redirect(`/dashboard/runs/${first}`, 303);
  try {
    const runId = await change(async (db) => {
      const agent = await readRunnable(db, id, mode);
      const versionId = mode === 'live' && agent.published_version_id !== null ? agent.published_version_id : await freezeDraft(db);
      const started = await startRun(
        db,
        { enqueueRun: services.engine.enqueueRun, newId: services.newId },
        {
          workspaceId: workspace.id,
          artifactId: id,
          versionId,
          document: workflowOfAgent(agent),
          mode,
          input: { task },
          initiatorId: userId,
          requestKey: _key,
          name: agent.name,
        },
      );
      return { result: started.runId, event: started.event };
    });
    throw redirect(`/dashboard/runs/${runId}`, 303);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'halted') return invalidForm(parsed.reply, { formErrors: ['workspaceHalted'] }, 423);
    if (error.code === 'quota_exceeded') return invalidForm(parsed.reply, { formErrors: ['quotaExceeded'] }, 402);
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
