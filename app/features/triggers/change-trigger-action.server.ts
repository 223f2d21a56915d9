import { href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { MOST_SELECTED } from '#app/components/list/selection.tsx';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { listUrl } from '#app/domain/web/list-address.ts';
import { deleteTrigger } from '#app/engine/commands/triggers/delete-trigger.ts';
import { enableTrigger } from '#app/engine/commands/triggers/enable-trigger.ts';
import { requireAuthor } from '#app/features/triggers/load-triggers.server.ts';
import { TRIGGERS } from '#app/features/triggers/trigger-list-address.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;

const ids = z.array(z.uuid()).min(1).max(MOST_SELECTED);

/**
 * Pauses or resumes one trigger or all that are ticked, one after another, and says of how many it was done. Those in that state already are
 * left alone, so that undoing it (`again`: the ids in one field) brings back exactly what there was.
 */
export async function changeTriggers({ request, context }: { request: Request; context: Context }): Promise<Response> {
  const { read, member } = requireAuthor(context);
  const form = await request.formData();
  const act = z.enum(['pause', 'resume']).safeParse(form.get('do'));
  const again = String(form.get('again') ?? '');
  const chosen = ids.safeParse([...form.getAll('selected'), ...again.split('.').filter(Boolean)]);
  const back = listUrl(TRIGGERS, new URL(request.url).searchParams);
  if (!act.success || !chosen.success) return redirectWithNotice(back, 'noneSelected', { kind: 'attention' });
  const enabled = act.data === 'resume';
  const rows = await read((db) =>
    db.selectFrom('quorate.triggers').select('id').where('id', 'in', chosen.data).where('enabled', '=', !enabled).execute(),
  );
  const done: string[] = [];
  for (const { id } of rows) if (await isDone(context, id, enabled)) done.push(id);
  return redirectWithNotice(back, enabled ? 'triggersResumed' : 'triggersPaused', {
    values: { done: done.length, left: chosen.data.length - done.length },
    undo: done.length === 0 ? undefined : { workspace: member.workspace.id, do: enabled ? 'pause' : 'resume', again: done.join('.') },
    kind: done.length > 0 ? 'ok' : 'attention',
  });
}

/** False: it went meanwhile. The others are not stopped by that. */
async function isDone(context: Context, trigger: string, enabled: boolean): Promise<boolean> {
  try {
    await performAsMember(context, enableTrigger, { trigger, enabled });
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The button that deletes a trigger. */
export async function deleteTriggerAction({ context, id }: { context: Context; id: string }) {
  await performAsMember(context, deleteTrigger, { trigger: id });
  return redirectWithNotice(href('/dashboard/workflows/advanced'), 'triggerDeleted');
}
