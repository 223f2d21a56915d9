import { href, type RouterContextProvider } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { deleteTrigger } from '#app/engine/commands/triggers/delete-trigger.ts';
import { enableTrigger } from '#app/engine/commands/triggers/enable-trigger.ts';
import { triggerCommandSchema } from '#app/features/triggers/trigger-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

type Context = Readonly<RouterContextProvider>;
const LIST = href('/dashboard/workflows/advanced');

/** The buttons that pause and resume a trigger. */
export async function changeTriggerAction({ request, context }: { request: Request; context: Context }) {
  const parsed = await parseForm(request, triggerCommandSchema);
  if (!parsed.ok) throw new AppError('invalid_input');
  const { intent, trigger } = parsed.value;
  const enabled = intent === 'resume';
  await performAsMember(context, enableTrigger, { trigger, enabled });
  return redirectWithNotice(LIST, enabled ? 'triggerResumed' : 'triggerPaused');
}

/** The button that deletes a trigger. */
export async function deleteTriggerAction({ context, id }: { context: Context; id: string }) {
  await performAsMember(context, deleteTrigger, { trigger: id });
  return redirectWithNotice(LIST, 'triggerDeleted');
}
