import type { ActionFunctionArgs } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import type { Db } from '#app/engine/db.ts';
import { auditUrl, readAuditFilter } from '#app/features/audit/audit-filter-schema.ts';
import { dropViewSchema, saveViewSchema } from '#app/features/audit/saved-view-schema.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

const AREA = 'audit';
/** Of one person in one workspace. */
const MOST_VIEWS = 50;

export type SavedView = { id: string; name: string; to: string };

/** One's own views of the log, by name. */
export async function listSavedViews(db: Db, who: { workspaceId: string; userId: string }): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('quorate.saved_views')
    .select(['id', 'name', 'query'])
    .where('user_id', '=', who.userId)
    .where('workspace_id', '=', who.workspaceId)
    .where('area', '=', AREA)
    .orderBy('name')
    .orderBy('id')
    .limit(MOST_VIEWS)
    .execute();
  return rows.map(({ id, name, query }) => ({ id, name, to: addressOf(query) }));
}

/** What is kept is read as the page reads it: no address but the list's own can stand there. */
const addressOf = (query: string) => auditUrl(readAuditFilter(new URLSearchParams(query)).filter);

/** Keeps or drops a view. One's own habits are no event of the log. */
export async function changeSavedViews({ request, context }: ActionFunctionArgs) {
  const { member } = context.get(memberContext);
  const { access, newId } = context.get(servicesContext);
  const who = { userId: member.userId, sessionId: member.sessionId, workspaceId: member.workspace.id };
  const form = await request.formData();
  if (form.get('command') === 'drop') {
    const parsed = await parseFormData(form, dropViewSchema);
    if (!parsed.ok) return invalidForm(parsed.reply);
    await access.asMember(who, (db) =>
      db.deleteFrom('quorate.saved_views').where('id', '=', parsed.value.view).where('user_id', '=', member.userId).execute(),
    );
    return redirectWithNotice('/dashboard/audit', 'viewDropped');
  }
  const parsed = await parseFormData(form, saveViewSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name } = parsed.value;
  const to = addressOf(parsed.value.query);
  const kept = await access.asMember(who, async (db) => {
    if ((await listSavedViews(db, { workspaceId: who.workspaceId, userId: who.userId })).length >= MOST_VIEWS) return false;
    await db
      .insertInto('quorate.saved_views')
      .values({ id: newId(), workspace_id: who.workspaceId, user_id: who.userId, area: AREA, name, query: to.split('?')[1] ?? '' })
      .execute();
    return true;
  });
  if (!kept) return invalidForm(parsed.reply, { formErrors: [message('tooManyViews', { maximum: MOST_VIEWS })] });
  return redirectWithNotice(to, 'viewSaved');
}
