import { sql } from 'kysely';
import { type ActionFunctionArgs, data } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { nameSchema } from '#app/features/account/account-schemas.ts';
import { authContext, memberContext, servicesContext } from '#app/request-context.ts';

/** Changes how one is called, in this workspace and in one's profile. */
export async function saveName({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, nameSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { name } = parsed.value;
  const { member, change } = context.get(memberContext);
  await change(async (db) => {
    await sql`select quorate.rename_self(${name})`.execute(db);
    return {
      result: null,
      event: { action: 'member.renamed', resource: { kind: 'member', id: member.userId, name }, payload: { before: member.name } },
    };
  });
  const failure = await context.get(authContext).saveProfile({ displayName: name });
  if (failure !== null) {
    context.get(servicesContext).log.warn('profile could not be saved', { user: member.userId });
    throw data({ code: 'unavailable' }, { status: 503 });
  }
  return redirectWithNotice('/dashboard/account/profile', 'nameSaved');
}
