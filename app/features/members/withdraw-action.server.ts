import { type ActionFunctionArgs, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { withdrawInvitation } from '#app/engine/commands/members/withdraw-invitation.ts';
import { withdrawSchema } from '#app/features/members/roles-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** The button that withdraws an invitation. */
export async function withdrawInvitationAction({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, withdrawSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  await performAsMember(context, withdrawInvitation, parsed.value);
  return redirectWithNotice(href('/dashboard/admin/members'), 'invitationWithdrawn');
}
