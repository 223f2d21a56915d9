import { type ActionFunctionArgs, data } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { loadMember } from '#app/features/members/load-member.server.ts';
import { changeRolesSchema } from '#app/features/members/roles-schema.ts';
import { memberContext } from '#app/request-context.ts';

/** SQLSTATE of the trigger that keeps one admin. */
const LAST_ADMIN = 'QM001';

/** Gives a member this set of roles, and takes every other. */
export async function changeRoles({ request, params, context }: ActionFunctionArgs) {
  const { member, change } = context.get(memberContext);
  const subject = await loadMember(context, params.user ?? '');
  const parsed = await parseForm(request, changeRolesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { roles } = parsed.value;
  try {
    await change(async (db) => {
      const changed = await db
        .updateTable('quorate.members')
        .set({ roles })
        .where('workspace_id', '=', member.workspace.id)
        .where('user_id', '=', subject.userId)
        .executeTakeFirst();
      if (changed.numUpdatedRows !== 1n) throw data({ code: 'forbidden' }, { status: 403 });
      return {
        result: null,
        event: {
          action: 'member.rolesChanged',
          resource: { kind: 'member', id: subject.userId, name: subject.name },
          payload: { before: subject.roles, after: roles },
        },
      };
    });
  } catch (error) {
    if (isSqlState(error, LAST_ADMIN)) return invalidForm(parsed.reply, { fieldErrors: { roles: ['lastAdmin'] } });
    throw error;
  }
  return redirectWithNotice('/dashboard/admin/members', 'rolesChanged');
}
