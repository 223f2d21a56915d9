import { type ActionFunctionArgs, data } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { withdrawSchema } from '#app/features/members/roles-schema.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Withdraws an invitation that nobody has answered; its link stops working. */
export async function withdrawInvitation({ request, context }: ActionFunctionArgs) {
  const { change } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const parsed = await parseForm(request, withdrawSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  await change(async (db) => {
    const withdrawn = await db
      .updateTable('quorate.invitations')
      .set({ withdrawn_at: now() })
      .where('id', '=', parsed.value.invitation)
      .where('accepted_at', 'is', null)
      .where('declined_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .returning(['email', 'roles'])
      .executeTakeFirst();
    if (withdrawn === undefined) throw data({ code: 'conflict' }, { status: 409 });
    return {
      result: null,
      event: {
        action: 'invitation.withdrawn',
        resource: { kind: 'invitation', id: parsed.value.invitation, name: withdrawn.email },
        payload: { roles: withdrawn.roles },
      },
    };
  });
  return redirectWithNotice('/dashboard/admin/members', 'invitationWithdrawn');
}
