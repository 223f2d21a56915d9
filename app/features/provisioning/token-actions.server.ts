import { type ActionFunctionArgs, data, href } from 'react-router';
import { type FormErrors, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedErrors } from '#app/components/form/refused-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext } from '#app/contracts/request-context.ts';
import { confirmDirectoryToken } from '#app/engine/commands/directory/confirm-directory-token.ts';
import { makeDirectoryToken } from '#app/engine/commands/directory/make-directory-token.ts';
import { revokeDirectoryToken } from '#app/engine/commands/directory/revoke-directory-token.ts';
import { requireManager } from '#app/features/provisioning/load-provisioning.server.ts';
import { confirmTokenSchema, newTokenSchema } from '#app/features/provisioning/provisioning-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

const PROVISIONING = href('/dashboard/admin/provisioning');

export type MadeToken = { name: string; secret: string };
export type NewTokenAnswer = { made: MadeToken | null; result: FormResult | undefined };

/** Makes a token. Its secret is in this one answer and nowhere else; sent again, the form makes no second one. */
export async function makeTokenAction({ request, context }: ActionFunctionArgs) {
  requireManager(context);
  const parsed = await parseForm(request, newTokenSchema);
  const refuse = (errors?: FormErrors) =>
    data<NewTokenAnswer>({ made: null, result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse();
  const { replaces = null, ...token } = parsed.value;
  try {
    const { secret } = await performAsMember(context, makeDirectoryToken, { ...token, replaces });
    context.get(authContext).headers.set('Cache-Control', 'private, no-store');
    return data<NewTokenAnswer>({ made: { name: token.name, secret }, result: undefined });
  } catch (error) {
    return refuse(refusedErrors(error).errors);
  }
}

/** The button by which another admin confirms a token. */
export async function confirmTokenAction({ request, context }: ActionFunctionArgs) {
  requireManager(context);
  const parsed = await parseForm(request, confirmTokenSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  await performAsMember(context, confirmDirectoryToken, { id: parsed.value.confirm });
  return redirectWithNotice(PROVISIONING, 'directoryTokenConfirmed');
}

/** The button that ends a token. */
export async function revokeTokenAction({ params, context }: ActionFunctionArgs) {
  await performAsMember(context, revokeDirectoryToken, { id: params.token ?? '' });
  return redirectWithNotice(PROVISIONING, 'directoryTokenRevoked');
}
