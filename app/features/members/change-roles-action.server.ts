import { type ActionFunctionArgs, href } from 'react-router';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { changeRoles } from '#app/engine/commands/members/change-roles.ts';
import { loadMember } from '#app/features/members/load-member.server.ts';
import { changeRolesSchema } from '#app/features/members/roles-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

const PAGE = href('/dashboard/admin/members');

/** Changes a member's roles, or asks another person to agree to roles of control. */
export async function changeRolesAction({ request, params, context }: ActionFunctionArgs) {
  const { userId } = await loadMember(context, params.user ?? '');
  const parsed = await parseForm(request, changeRolesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    const given = await performAsMember(context, changeRoles, { userId, ...parsed.value });
    if (given.state === 'changed') return redirectWithNotice(PAGE, 'rolesChanged');
    return toAskedChange(given.asked);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
}
