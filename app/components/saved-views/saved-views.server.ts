import { data } from 'react-router';
import { type FormErrors, parseFormData } from '#app/components/form/parse-form.server.ts';
import { refusedErrors } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { dropViewSchema, saveViewSchema } from '#app/components/saved-views/saved-view-schema.ts';
import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';

/** `own`: the reader's, who may drop it; `shared`: everyone in the workspace has it. */
export type SavedView = { id: string; name: string; to: string; own: boolean; shared: boolean };

/** The list whose filters can be saved. `addressOf` lets only addresses of that list pass, whatever is stored. */
export type ViewArea = { area: string; addressOf(query: string): string };

/** A view that was not saved: what was typed, and why, as keys of the namespace validation. */
export type RefusedView = { name: string; shared: boolean; errors: string[] };

const MOST_SHOWN = 100;

/** One's own saved views of a list and those that others share, by name. */
export async function listSavedViews(
  db: Db,
  { area, addressOf }: ViewArea,
  who: { workspaceId: string; userId: string },
): Promise<SavedView[]> {
  const rows = await db
    .selectFrom('quorate.saved_views')
    .select(['id', 'name', 'query', 'user_id', 'shared'])
    .where((eb) => eb.or([eb('user_id', '=', who.userId), eb('shared', '=', true)]))
    .where('workspace_id', '=', who.workspaceId)
    .where('area', '=', area)
    .orderBy('name')
    .orderBy('id')
    .limit(MOST_SHOWN)
    .execute();
  return rows.map(({ id, name, query, user_id, shared }) => ({ id, name, to: addressOf(query), own: user_id === who.userId, shared }));
}

/** Saves or deletes a view, as the posted form says. Personal views are not events of the log. */
export async function changeSavedViews(
  request: Request,
  { addressOf }: ViewArea,
  commands: { save(view: { name: string; query: string; shared: boolean }): Promise<unknown>; drop(view: string): Promise<unknown> },
) {
  const form = await request.formData();
  if (form.get('command') === 'drop') {
    const parsed = await parseFormData(form, dropViewSchema);
    if (!parsed.ok) throw new AppError('invalid_input');
    await commands.drop(parsed.value.view);
    return redirectWithNotice(addressOf(''), 'viewDropped');
  }
  const parsed = await parseFormData(form, saveViewSchema);
  if (!parsed.ok) return refuse(form, parsed.reply.errors, 400);
  const to = addressOf(parsed.value.query);
  try {
    await commands.save({ name: parsed.value.name, query: to.split('?')[1] ?? '', shared: parsed.value.shared });
  } catch (error) {
    const { errors, status } = refusedErrors(error);
    return refuse(form, errors, status);
  }
  return redirectWithNotice(to, 'viewSaved');
}

function refuse(form: FormData, { fieldErrors = {}, formErrors = [] }: FormErrors, status: number) {
  const errors = [...formErrors, ...Object.values(fieldErrors).flat()];
  return data<RefusedView>({ name: String(form.get('name') ?? ''), shared: form.has('shared'), errors }, { status });
}
