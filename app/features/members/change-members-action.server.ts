import { type ActionFunctionArgs, data, href } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { decideRoleRequest } from '#app/engine/commands/members/decide-role-request.ts';
import { roleRequestSchema } from '#app/features/members/roles-schema.ts';
import { withdrawInvitationAction } from '#app/features/members/withdraw-action.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const NOTICES = { granted: 'rolesChanged', refused: 'rolesRefused', withdrawn: 'rolesWithdrawn' } as const;

/** The buttons of the members screen: one takes an invitation back, the others decide on roles that wait for a second person. */
export async function changeMembers(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  return form.has('request') ? decideRoles(args) : withdrawInvitationAction(args);
}

async function decideRoles({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, roleRequestSchema);
  if (!parsed.ok) throw data({ code: 'invalid_input' }, { status: 400 });
  await performAsMember(context, decideRoleRequest, parsed.value);
  return redirectWithNotice(href('/dashboard/admin/members'), NOTICES[parsed.value.outcome]);
}
