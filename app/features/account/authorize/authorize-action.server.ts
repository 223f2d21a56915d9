import { randomBytes } from 'node:crypto';
import { type ActionFunctionArgs, data } from 'react-router';
import { type FormErrors, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { refusedErrors } from '#app/components/form/refused-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { authContext, memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { authorizeClient } from '#app/engine/commands/account/authorize-client.ts';
import { authorizeSchema } from '#app/features/account/authorize/authorize-schema.ts';
import { CLIENT_DAYS, isHere, requestAt } from '#app/features/account/authorize/load-authorize.server.ts';
import { performAsMember } from '#app/perform.server.ts';

/** `to`: where the browser goes on, a path of the authorization server. */
export type AuthorizeAnswer = { to: string | null; result: FormResult | undefined };

/**
 * Lets the client in with the rights that are ticked, or refuses it. The answer is a page that leads back, and no redirect: the policy of
 * our pages lets no form lead to another site, and the client is one.
 */
export async function authorizeAction(args: ActionFunctionArgs) {
  const { context } = args;
  const { authorization } = context.get(servicesContext);
  const asked = await requestAt(args);
  if (asked === null) throw data({ code: 'not_found' }, { status: 404 });
  const form = await args.request.clone().formData();
  if (form.get('answer') === 'refuse') return goOn(context, await authorization.refuse(asked.id));
  const parsed = await parseForm(args.request, authorizeSchema);
  const refuse = (errors?: FormErrors) =>
    data<AuthorizeAnswer>({ to: null, result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse();
  const { member } = context.get(memberContext);
  if (!isHere(asked, member.workspace)) throw data({ code: 'forbidden' }, { status: 403 });
  const { scopes } = parsed.value;
  if (scopes.some((scope) => !asked.scopes.includes(scope))) return refuse({ fieldErrors: { scopes: ['chooseOne'] } });
  const grantId = randomBytes(32).toString('base64url');
  const { client, resource } = asked;
  try {
    const grant = { id: parsed.value.id, grantId, clientId: client.id, name: client.name, resource, scopes, days: CLIENT_DAYS };
    await performAsMember(context, authorizeClient, grant);
  } catch (error) {
    return refuse(refusedErrors(error).errors);
  }
  return goOn(context, await authorization.accept(asked.id, { accountId: member.userId, grantId, scopes }));
}

function goOn(context: ActionFunctionArgs['context'], to: string | null) {
  if (to === null) throw data({ code: 'not_found' }, { status: 404 });
  const { headers } = context.get(authContext);
  headers.set('Refresh', `0;url=${to}`);
  headers.set('Cache-Control', 'private, no-store');
  return data<AuthorizeAnswer>({ to, result: undefined });
}
