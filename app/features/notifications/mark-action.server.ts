import { sql } from 'kysely';
import { type ActionFunctionArgs, redirect } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { localPath } from '#app/domain/local-path.ts';
import { markSchema } from '#app/features/notifications/mark-schema.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Marks as read or unread. What somebody has read is their own matter: it is no event of the log. */
export async function markNotifications({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, markSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { mark, id, until, back } = parsed.value;
  const { member } = context.get(memberContext);
  const { access, now } = context.get(servicesContext);
  const who = { userId: member.userId, sessionId: member.sessionId, workspaceId: member.workspace.id };
  await access.asMember(who, async (db) => {
    let update = db
      .updateTable('quorate.notifications')
      .set({ read_at: mark === 'read' ? now() : null })
      .where('user_id', '=', member.userId)
      .where('workspace_id', '=', member.workspace.id)
      .where('read_at', mark === 'read' ? 'is' : 'is not', null);
    if (id !== undefined) update = update.where('id', '=', id);
    else if (until !== undefined && mark === 'read')
      update = update.where(
        sql<boolean>`(created_at, id) <= (select u.created_at, u.id from quorate.notifications u where u.id = ${until}::uuid)`,
      );
    else return;
    await update.execute();
  });
  return redirect(localPath(back ?? null, '/dashboard/notifications'), { status: 303 });
}
