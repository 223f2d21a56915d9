import { data, href, type RouterContextProvider } from 'react-router';
import { type FormErrors, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedErrors, refusedForm } from '#app/components/form/refused-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { createSchedule } from '#app/engine/commands/triggers/create-schedule.ts';
import { createWebhook } from '#app/engine/commands/triggers/create-webhook.ts';
import { isSqlState, UNIQUE_VIOLATION } from '#app/engine/sql-state.ts';
import { requireAuthor } from '#app/features/triggers/load-triggers.server.ts';
import { newScheduleSchema, newWebhookSchema, readInput } from '#app/features/triggers/trigger-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

type Call = { request: Request; context: Readonly<RouterContextProvider> };

/** Makes a schedule. The same form sent twice makes one, and both are told that it stands. */
export async function createScheduleAction({ request, context }: Call) {
  requireAuthor(context);
  const parsed = await parseForm(request, newScheduleSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { cron, timeZone, input, ...trigger } = parsed.value;
  try {
    await performAsMember(context, createSchedule, { ...trigger, settings: { cron, timeZone, input: readInput(input) ?? {} } });
  } catch (error) {
    if (!isSqlState(error, UNIQUE_VIOLATION)) return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(href('/dashboard/workflows/advanced'), 'scheduleCreated');
}

export type CreatedHook = { name: string; address: string; secret: string };
export type NewHookAnswer = { created: CreatedHook | null; result: FormResult | undefined };

/** Makes a webhook. Its secret is in this one answer and nowhere else in the clear. */
export async function createWebhookAction({ request, context }: Call) {
  requireAuthor(context);
  const parsed = await parseForm(request, newWebhookSchema);
  const refuse = (errors?: FormErrors) =>
    data<NewHookAnswer>({ created: null, result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse();
  try {
    const { id, secret } = await performAsMember(context, createWebhook, parsed.value);
    context.get(authContext).headers.set('Cache-Control', 'private, no-store');
    const address = `${context.get(servicesContext).origin}${href('/hooks/:hook', { hook: id })}`;
    return data<NewHookAnswer>({ created: { name: parsed.value.name, address, secret }, result: undefined });
  } catch (error) {
    return refuse(refusedErrors(error).errors);
  }
}
