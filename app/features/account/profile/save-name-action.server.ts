import { type ActionFunctionArgs, data } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { renameSelf } from '#app/engine/commands/account/rename-self.ts';
import { nameSchema } from '#app/features/account/account-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';
import { authContext, memberContext, servicesContext } from '#app/request-context.ts';

/** Changes how one is called, in this workspace and in one's profile. */
export async function saveName({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, nameSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name } = parsed.value;
  await performAsMember(context, renameSelf, { name });
  const failure = await context.get(authContext).saveProfile({ displayName: name });
  if (failure !== null) {
    context.get(servicesContext).log.warn('profile could not be saved', { user: context.get(memberContext).member.userId });
    throw data({ code: 'unavailable' }, { status: 503 });
  }
  return redirectWithNotice('/dashboard/account/profile', 'nameSaved');
}
