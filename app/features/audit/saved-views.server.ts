import { type ActionFunctionArgs, href } from 'react-router';
import { invalidForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { dropView } from '#app/engine/commands/personal/drop-view.ts';
import { MOST_VIEWS, saveView } from '#app/engine/commands/personal/save-view.ts';
import { auditUrl, readAuditFilter } from '#app/features/audit/audit-filter-schema.ts';
import { dropViewSchema, saveViewSchema } from '#app/features/audit/saved-view-schema.ts';
import { performForSelf } from '#app/perform.server.ts';

const AREA = 'audit';

export type SavedView = { id: string; name: string; to: string };

/** One's own saved views of the log, by name. */
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

/** Stored views are parsed like addresses: only addresses of the list pass. */
const addressOf = (query: string) => auditUrl(readAuditFilter(new URLSearchParams(query)).filter);

/** Saves or deletes a view. Personal views are not events of the log. */
export async function changeSavedViews({ request, context }: ActionFunctionArgs) {
  const { member } = context.get(memberContext);
  const form = await request.formData();
  if (form.get('command') === 'drop') {
    const parsed = await parseFormData(form, dropViewSchema);
    if (!parsed.ok) return invalidForm(parsed.reply);
    await performForSelf(context, dropView, { view: parsed.value.view });
    return redirectWithNotice(href('/dashboard/audit'), 'viewDropped');
  }
  const parsed = await parseFormData(form, saveViewSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name } = parsed.value;
  const to = addressOf(parsed.value.query);
  const query = to.split('?')[1] ?? '';
  try {
    await performForSelf(context, saveView, { workspace: member.workspace.id, area: AREA, name, query });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(to, 'viewSaved');
}
