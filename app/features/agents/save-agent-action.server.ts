import type { RouterContextProvider } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';
import { createArtifact, saveDraft } from '#app/engine/workflows/drafts.ts';
import { documentFromForm, loadAgentDraft, tagsOf } from '#app/features/agents/agent-draft.server.ts';
import { agentFormSchema } from '#app/features/agents/agent-schema.ts';
import { requireAgentAuthor, requireAgentId } from '#app/features/agents/load-agent.server.ts';
import { servicesContext } from '#app/request-context.ts';

type Arguments = { request: Request; context: Readonly<RouterContextProvider> };

/** Makes an agent. It may be unfinished: what it lacks stands on its page, and publishing waits for it. */
export async function createAgentAction({ request, context }: Arguments) {
  const access = requireAgentAuthor(context);
  const { newId, now } = context.get(servicesContext);
  const parsed = await parseForm(request, agentFormSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, description } = parsed.value;
  const id = newId();
  await access.change(async (db) => {
    const { workspace, userId } = access.member;
    await requireRoom(db, workspace.id, 'agents', now());
    const document = documentFromForm(parsed.value);
    const tags = tagsOf(parsed.value.tags);
    await createArtifact(db, { kind: 'agent', id, workspaceId: workspace.id, ownerId: userId, name, description, tags, document });
    return { result: null, event: { action: 'agent.created', resource: { kind: 'agent', id, name } } };
  });
  throw redirectWithNotice(`/dashboard/agents/authored/${id}`, 'agentSaved');
}

/** Saves an agent's draft; what is in force stays until the next version is published. */
export async function saveAgentAction({ request, params, context }: Arguments & { params: { agent: string } }) {
  const access = requireAgentAuthor(context);
  const { now } = context.get(servicesContext);
  const id = requireAgentId(params.agent);
  const parsed = await parseForm(request, agentFormSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name, description, revision, tags } = parsed.value;
  try {
    await access.change(async (db) => {
      await loadAgentDraft(db, id);
      await saveDraft(db, {
        artifactId: id,
        expectedRevision: revision,
        about: { name, description, tags: tagsOf(tags) },
        document: documentFromForm(parsed.value),
        authorId: access.member.userId,
        now: now(),
      });
      return { result: null, event: { action: 'agent.edited', resource: { kind: 'agent', id, name } } };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return invalidForm(parsed.reply, { formErrors: ['draftChanged'] }, 409);
    throw error;
  }
  throw redirectWithNotice(`/dashboard/agents/authored/${id}`, 'agentSaved');
}
