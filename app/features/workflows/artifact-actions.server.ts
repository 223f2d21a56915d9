import { type RouterContextProvider, redirect } from 'react-router';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { requireRoom } from '#app/engine/plans/require-room.ts';
import { createArtifact, loadDraft, nameOfCopy } from '#app/engine/workflows/drafts.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

type Args = { request: Request; params: { workflow: string }; context: Readonly<RouterContextProvider> };

/** Pause, resume, duplicate: the buttons of a workflow's page. */
export async function workflowCommandAction(args: Args) {
  const form = await args.request.formData();
  const intent = form.get('intent');
  if (intent === 'pause' || intent === 'resume') return await setActive(args, intent === 'resume');
  if (intent === 'duplicate') return await duplicateWorkflow(args);
  throw new AppError('invalid_input');
}

/** Pause makes a workflow inactive: its triggers stop, runs under way finish. */
async function setActive({ params, context }: Args, active: boolean): Promise<never> {
  const access = context.get(memberContext);
  const { now } = context.get(servicesContext);
  await access.change(async (db) => {
    const row = await db
      .updateTable('quorate.artifacts')
      .set({ status: active ? 'active' : 'inactive', updated_at: now() })
      .where('id', '=', params.workflow)
      .where('kind', '=', 'workflow')
      .where('deleted_at', 'is', null)
      .where('published_version_id', 'is not', null)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    return {
      result: null,
      event: { action: active ? 'workflow.resumed' : 'workflow.paused', resource: { kind: 'workflow', id: row.id, name: row.name } },
    };
  });
  throw redirectWithNotice(`/dashboard/workflows/${params.workflow}`, active ? 'workflowResumed' : 'workflowPaused');
}

async function duplicateWorkflow({ params, context }: Args): Promise<never> {
  const access = context.get(memberContext);
  const { newId, now } = context.get(servicesContext);
  const id = newId();
  try {
    await access.change(async (db) => {
      const draft = await loadDraft(db, params.workflow);
      await requireRoom(db, access.member.workspace.id, 'workflows', now());
      const name = await nameOfCopy(db, 'workflow', draft.name);
      await createArtifact(db, {
        kind: 'workflow',
        id,
        workspaceId: access.member.workspace.id,
        ownerId: access.member.userId,
        name,
        description: draft.description,
        document: draft.document,
      });
      return {
        result: null,
        event: { action: 'workflow.created', resource: { kind: 'workflow', id, name }, payload: { copyOf: draft.id } },
      };
    });
  } catch (error) {
    if (error instanceof AppError && error.code === 'quota_exceeded')
      throw redirectWithNotice(`/dashboard/workflows/${params.workflow}`, 'workflowsFull', { kind: 'attention' });
    throw error;
  }
  throw redirect(`/dashboard/workflows/${id}/edit`, 303);
}

/** Deletes a workflow softly: its runs and their proof stay. */
export async function deleteWorkflowAction({ params, context }: Args): Promise<never> {
  const access = context.get(memberContext);
  const { now } = context.get(servicesContext);
  await access.change(async (db) => {
    const row = await db
      .updateTable('quorate.artifacts')
      .set({ status: 'inactive', deleted_at: now() })
      .where('id', '=', params.workflow)
      .where('kind', '=', 'workflow')
      .where('deleted_at', 'is', null)
      .returning(['id', 'name'])
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not_found');
    return { result: null, event: { action: 'workflow.deleted', resource: { kind: 'workflow', id: row.id, name: row.name } } };
  });
  throw redirectWithNotice('/dashboard/workflows', 'workflowDeleted');
}
