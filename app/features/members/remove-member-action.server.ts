import { type ActionFunctionArgs, href } from 'react-router';
import { toAskedChange } from '#app/components/form/ask/ask-answer.server.ts';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedForm } from '#app/components/form/refused-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { removeMember } from '#app/engine/commands/members/remove-member.ts';
import { loadMember } from '#app/features/members/load-member.server.ts';
import { removeMemberSchema } from '#app/features/members/roles-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Takes a member out of the workspace, or asks another person to agree to that. Their next request finds no membership. */
export async function removeMemberAction({ request, params, context }: ActionFunctionArgs) {
  const { userId, isMe } = await loadMember(context, params.user ?? '');
  const parsed = await parseForm(request, removeMemberSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  try {
    const outcome = await performAsMember(context, removeMember, { userId, ...parsed.value });
    if (outcome.state === 'requested') return toAskedChange(outcome.asked);
  } catch (error) {
    return refusedForm(parsed.reply, error);
  }
  return redirectWithNotice(isMe ? href('/dashboard') : href('/dashboard/admin/members'), 'memberRemoved');
}
