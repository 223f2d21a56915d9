import { type ActionFunctionArgs, href, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { markNotifications } from '#app/engine/commands/personal/mark-notifications.ts';
import { markSchema } from '#app/features/notifications/mark-schema.ts';
import { performForSelf } from '#app/perform.server.ts';

/** Marks as read or unread. Reading is a personal matter: it is not an event of the log. */
export async function markAction({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, markSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { mark, id, until, back } = parsed.value;
  const { member } = context.get(memberContext);
  await performForSelf(context, markNotifications, { workspace: member.workspace.id, mark, id, until });
  return redirect(localPath(back ?? null, href('/dashboard/notifications')), { status: 303 });
}
