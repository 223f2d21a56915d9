import { type ActionFunctionArgs, data, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { renameSelf } from '#app/engine/commands/account/rename-self.ts';
import { nameSchema } from '#app/features/account/account-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Changes one's name, in this workspace and in the profile. */
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
  return redirectWithNotice(href('/dashboard/account/profile'), 'nameSaved');
}
