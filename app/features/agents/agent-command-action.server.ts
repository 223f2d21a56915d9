import type { RouterContextProvider } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { checkAgent, EMPTY_AGENT, workflowOfAgent } from '#app/domain/agent.ts';
import { AppError } from '#app/domain/errors.ts';
import { demand } from '#app/domain/roles.ts';
import { checkConnection } from '#app/engine/connections/check-connection.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';
import { createArtifact, nameOfCopy } from '#app/engine/workflows/drafts.ts';
import { freezeVersion } from '#app/engine/workflows/freeze-version.ts';
import { loadAgentDraft } from '#app/features/agents/agent-draft.server.ts';
import { loadAgent, readPeers, requireAgentAuthor, requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { loadAgentCatalogue } from '#app/features/agents/load-agent-catalogue.server.ts';
import { servicesContext } from '#app/request-context.ts';

type Arguments = { request: Request; params: { agent: string }; context: Readonly<RouterContextProvider> };
type Command = Omit<Arguments, 'request'> & { id: string; page: string };

/** Publish, check, pause, resume, duplicate: the buttons of an agent's page. */
export async function agentCommandAction({ request, params, context }: Arguments): Promise<never> {
  requireAgentAuthor(context);
  const form = await request.formData();
  const id = requireAgentId(params.agent);
  const command: Command = { params, context, id, page: `/dashboard/agents/authored/${id}` };
  switch (form.get('intent')) {
    case 'publish':
      return await publish(command, Number(form.get('revision')));
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

async function publish({ context, id, page }: Command, revision: number): Promise<never> {
  const access = requireAgentAuthor(context);
  const { newId, now } = context.get(servicesContext);
  try {
    await access.change(async (db) => {
      const draft = await loadAgentDraft(db, id);
      const issues = checkAgent(draft.document, await loadAgentCatalogue(db));
      if (draft.revision !== revision || issues.length > 0) throw new AppError('conflict');
      const version = await freezeVersion(db, {
        id: newId(),
        workspaceId: access.member.workspace.id,
        artifactId: id,
        authorId: access.member.userId,
        document: workflowOfAgent(draft),
        own: { [id]: { name: draft.name, document: draft.document } },
        publish: true,
        now: now(),
      });
      const payload = { version: version.number, contentHash: version.contentHash };
      return { result: null, event: { action: 'agent.published', resource: { kind: 'agent', id, name: draft.name }, payload } };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict')
      throw redirectWithNotice(page, 'draftChangedMeanwhile', { kind: 'attention' });
    throw error;
  }
  throw redirectWithNotice(page, 'agentPublished');
}

/** Asks every connection that the agent works with anew. What they offer may have changed, and its page then says what it lacks. */
async function check({ context, params, page }: Command): Promise<never> {
  const { member, read, change } = requireAgentAuthor(context);
  demand(member.roles, 'connect');
  const { engine, newId, now } = context.get(servicesContext);
  const { published, draft } = await loadAgent({ params, context });
  const peers = await read((db) => readPeers(db, published?.document ?? draft?.document ?? EMPTY_AGENT));
  const found = await Promise.all(
    peers.map(({ sealed_credential: sealedCredential, ...peer }) =>
      checkConnection({ engine, read, change, newId, now }, { ...peer, workspaceId: member.workspace.id, sealedCredential }),
    ),
  );
  if (found.includes('failed')) throw redirectWithNotice(page, 'agentCheckFailed', { kind: 'danger' });
  if (found.includes('news')) throw redirectWithNotice(page, 'agentHasNews', { kind: 'attention' });
  throw redirectWithNotice(page, 'agentChecked');
}

/** A paused agent starts nothing more, in runs under way too: a step's start depends on it. */
async function setActive({ context, id, page }: Command, active: boolean): Promise<never> {
  const access = requireAgentAuthor(context);
  const { now } = context.get(servicesContext);
  await access.change(async (db) => {
    const row = await db
      .updateTable('quorate.artifacts')
      .set({ status: active ? 'active' : 'inactive', updated_at: now() })
      .where('id', '=', id)
      .where('kind', '=', 'agent')
      .where('deleted_at', 'is', null)
      .where('published_version_id', 'is not', null)
      .returning('name')
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    const action = active ? 'agent.resumed' : 'agent.paused';
    return { result: null, event: { action, resource: { kind: 'agent', id, name: row.name } } };
  });
  throw redirectWithNotice(page, active ? 'agentResumed' : 'agentPaused');
}

async function duplicate({ context, id }: Command): Promise<never> {
  const access = requireAgentAuthor(context);
  const { newId, now } = context.get(servicesContext);
  const copy = newId();
  await access.change(async (db) => {
    const draft = await loadAgentDraft(db, id);
    const { workspace, userId } = access.member;
    await requireRoom(db, workspace.id, 'agents', now());
    const name = await nameOfCopy(db, 'agent', draft.name);
    const { description, tags, document } = draft;
    await createArtifact(db, { kind: 'agent', id: copy, workspaceId: workspace.id, ownerId: userId, name, description, tags, document });
    return { result: null, event: { action: 'agent.created', resource: { kind: 'agent', id: copy, name }, payload: { copyOf: id } } };
  });
  throw redirectWithNotice(`/dashboard/agents/authored/${copy}/edit`, 'agentDuplicated');
}

/** Deletes an agent softly: its runs and their proof stay. Steps that use it are refused from now on. */
export async function deleteAgentAction({ params, context }: Omit<Arguments, 'request'>): Promise<never> {
  const access = requireAgentAuthor(context);
  const { now } = context.get(servicesContext);
  const id = requireAgentId(params.agent);
  await access.change(async (db) => {
    const row = await db
      .updateTable('quorate.artifacts')
      .set({ status: 'inactive', deleted_at: now() })
      .where('id', '=', id)
      .where('kind', '=', 'agent')
      .where('deleted_at', 'is', null)
      .returning('name')
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    return { result: null, event: { action: 'agent.deleted', resource: { kind: 'agent', id, name: row.name } } };
  });
  throw redirectWithNotice('/dashboard/agents', 'agentDeleted');
}
