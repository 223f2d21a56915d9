import { data, type RouterContextProvider } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { nextTime, parseCron } from '#app/domain/cron.ts';
import { AppError } from '#app/domain/errors.ts';
import { scheduleSettingsSchema } from '#app/engine/triggers/run-schedules.ts';
import { loadTrigger, requireAuthor } from '#app/features/triggers/load-triggers.server.ts';
import { triggerCommandSchema } from '#app/features/triggers/trigger-schemas.ts';
import { servicesContext } from '#app/request-context.ts';

type Context = Readonly<RouterContextProvider>;
const LIST = '/dashboard/workflows/advanced';

/** Pauses or resumes a trigger. What was due meanwhile is not made up for: a resumed schedule waits for its next time. */
export async function changeTrigger({ request, context }: { request: Request; context: Context }) {
  const { change } = requireAuthor(context);
  const parsed = await parseForm(request, triggerCommandSchema);
  if (!parsed.ok) throw new AppError('invalid_input');
  const { intent, trigger: id } = parsed.value;
  const enabled = intent === 'resume';
  const now = context.get(servicesContext).now();
  const trigger = await loadTrigger(context, id);
  await change(async (db) => {
    const row = await db.selectFrom('quorate.triggers').where('id', '=', id).select('settings').forUpdate().executeTakeFirst();
    if (row === undefined) throw data({ code: 'not_found' }, { status: 404 });
    const settings = scheduleSettingsSchema.safeParse(row.settings).data;
    const cron = settings === undefined ? null : parseCron(settings.cron);
    const nextAt = enabled && cron !== null && settings !== undefined ? nextTime(cron, settings.timeZone, now) : null;
    await db.updateTable('quorate.triggers').set({ enabled, next_at: nextAt, last_refusal: null }).where('id', '=', id).execute();
    const resource = { kind: 'trigger', id, name: trigger.name };
    return { result: null, event: enabled ? { action: 'trigger.resumed', resource } : { action: 'trigger.paused', resource } };
  });
  return redirectWithNotice(LIST, enabled ? 'triggerResumed' : 'triggerPaused');
}

/** Deletes a trigger for good. Its runs stay. */
export async function deleteTrigger({ context, id }: { context: Context; id: string }) {
  const { change } = requireAuthor(context);
  const trigger = await loadTrigger(context, id);
  await change(async (db) => {
    const deleted = await db.deleteFrom('quorate.triggers').where('id', '=', id).executeTakeFirst();
    if (deleted.numDeletedRows !== 1n) throw data({ code: 'not_found' }, { status: 404 });
    return { result: null, event: { action: 'trigger.deleted', resource: { kind: 'trigger', id, name: trigger.name } } };
  });
  return redirectWithNotice(LIST, 'triggerDeleted');
}
