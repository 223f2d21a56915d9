import { type ActionFunctionArgs, data } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { isSqlState } from '#app/engine/sql-state.ts';
import { loadMember } from '#app/features/members/load-member.server.ts';
import { noFieldsSchema } from '#app/features/members/roles-schema.ts';
import { memberContext } from '#app/request-context.ts';

const LAST_ADMIN = 'QM001';

/** Takes a member out of the workspace. Their next request finds no membership; what they did stays. */
export async function removeMember({ request, params, context }: ActionFunctionArgs) {
  const { member, change } = context.get(memberContext);
  const subject = await loadMember(context, params.user ?? '');
  const parsed = await parseForm(request, noFieldsSchema);
  try {
    await change(async (db) => {
      const removed = await db
        .deleteFrom('quorate.members')
        .where('workspace_id', '=', member.workspace.id)
        .where('user_id', '=', subject.userId)
        .executeTakeFirst();
      if (removed.numDeletedRows !== 1n) throw data({ code: 'forbidden' }, { status: 403 });
      return {
        result: null,
        event: {
          action: 'member.removed',
          resource: { kind: 'member', id: subject.userId, name: subject.name },
          payload: { roles: subject.roles },
        },
      };
    });
  } catch (error) {
    if (isSqlState(error, LAST_ADMIN)) return invalidForm(parsed.reply, { formErrors: ['lastAdmin'] });
    throw error;
  }
  return redirectWithNotice(subject.isMe ? '/dashboard' : '/dashboard/admin/members', 'memberRemoved');
}
