import type { RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { MOST_SELECTED } from '#app/components/list/selection.tsx';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { listUrl } from '#app/domain/web/list-address.ts';
import { activateWorkflow } from '#app/engine/commands/workflows/activate-workflow.ts';
import { WORKFLOWS } from '#app/features/workflows/list/workflow-list-address.ts';
import { requireAuthor } from '#app/features/workflows/load-screens.server.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

const ids = z.array(z.uuid()).min(1).max(MOST_SELECTED);

/**
 * Pauses or resumes the workflows that are ticked, one after another, and says of how many it was done. What was in that state already is
 * left alone, so that undoing it (`again`: the ids in one field) brings back exactly what there was.
 */
export async function changeSeveralWorkflows({ request, context }: { request: Request; context: Context }): Promise<Response> {
  const { read, member } = requireAuthor(context);
  const form = await request.formData();
  const act = z.enum(['pause', 'resume']).safeParse(form.get('do'));
  const chosen = ids.safeParse([
    ...form.getAll('workflow'),
    ...String(form.get('again') ?? '')
      .split('.')
      .filter(Boolean),
  ]);
  const back = listUrl(WORKFLOWS, new URL(request.url).searchParams);
  if (!act.success || !chosen.success) return redirectWithNotice(back, 'noneSelected', { kind: 'attention' });
  const active = act.data === 'resume';
  const rows = await read((db) =>
    db
      .selectFrom('quorate.artifacts')
      .select('id')
      .where('id', 'in', chosen.data)
      .where('kind', '=', 'workflow')
      .where('status', '=', active ? 'inactive' : 'active')
      .execute(),
  );
  const done: string[] = [];
  for (const { id } of rows) if (await isDone(context, id, active)) done.push(id);
  const values = { done: done.length, left: chosen.data.length - done.length };
  const undo = done.length === 0 ? undefined : { workspace: member.workspace.id, do: active ? 'pause' : 'resume', again: done.join('.') };
  return redirectWithNotice(back, active ? 'workflowsResumed' : 'workflowsPaused', {
    values,
    undo,
    kind: done.length > 0 ? 'ok' : 'attention',
  });
}

/** False: refused, for example because it has no version that could run. The others are not stopped by that. */
async function isDone(context: Context, workflow: string, active: boolean): Promise<boolean> {
  try {
    await performAsMember(context, activateWorkflow, { workflow, active });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
