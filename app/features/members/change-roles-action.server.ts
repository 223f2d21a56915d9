import { type ActionFunctionArgs, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { memberPrincipal } from '#app/engine/commands/member-principal.ts';
import { giveRoles } from '#app/engine/commands/members/give-roles.ts';
import { loadMember } from '#app/features/members/load-member.server.ts';
import { changeRolesSchema } from '#app/features/members/roles-schema.ts';

const PAGE = href('/dashboard/admin/members');

/** Changes a member's roles, or has a new approver wait for a second person. */
export async function changeRolesAction({ request, params, context }: ActionFunctionArgs) {
  const { userId } = await loadMember(context, params.user ?? '');
  const parsed = await parseForm(request, changeRolesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const principal = memberPrincipal(context.get(memberContext));
  try {
    const given = await giveRoles(principal, context.get(servicesContext), { userId, roles: parsed.value.roles });
    return given === 'changed' ? redirectWithNotice(PAGE, 'rolesChanged') : redirectWithNotice(PAGE, 'rolesRequested', { kind: 'info' });
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}
