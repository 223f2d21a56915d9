import { type ActionFunctionArgs, data, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { removePasskey } from '#app/engine/commands/factors/remove-passkey.ts';
import { renamePasskey } from '#app/engine/commands/factors/rename-passkey.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { lacksFactor, sendFactorNotice } from '#app/features/auth/factor/second-factor.server.ts';
import { removePasskeySchema, renamePasskeySchema } from '#app/features/auth/passkey/passkey-schema.ts';

const LIST = href('/dashboard/account/security/passkeys');

/** The answer of a form unless it redirects. */
export type OnePasskeyAnswer = { form: 'rename' | 'remove'; result: FormResult };

/** The two forms of one's own passkey: another name, or its end, which takes a proof. */
export async function changePasskey(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
  return form === 'remove' ? remove(args) : rename(args);
}

function ownerOf({ context, params }: ActionFunctionArgs) {
  const { user } = context.get(authContext);
  if (user === null) throw data({ code: 'unauthenticated' }, { status: 401 });
  return { user: user.id, session: user.sessionId, passkey: params.passkey ?? '', email: user.email };
}

async function rename(args: ActionFunctionArgs) {
  const parsed = await parseForm(args.request, renamePasskeySchema);
  if (!parsed.ok) return data<OnePasskeyAnswer>({ form: 'rename', result: invalidForm(parsed.reply).data }, { status: 400 });
  const services = args.context.get(servicesContext);
  if (!(await performAsNobody(renamePasskey, services, { ...ownerOf(args), ...parsed.value })))
    throw data({ code: 'not_found' }, { status: 404 });
  return redirectWithNotice(LIST, 'passkeyRenamed');
}

async function remove(args: ActionFunctionArgs) {
  const { context } = args;
  const parsed = await parseForm(args.request, removePasskeySchema);
  const refuse = (errors: Parameters<typeof invalidForm>[1]) =>
    data<OnePasskeyAnswer>({ form: 'remove', result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refuse(undefined);
  if (await lacksFactor(context)) return refuse({ formErrors: ['secondFactorFirst'] });
  const fieldErrors = await reauthenticate(context, parsed.value);
  if (fieldErrors !== null) return refuse({ fieldErrors });
  const owner = ownerOf(args);
  const outcome = await performAsNobody(removePasskey, context.get(servicesContext), owner);
  if (outcome === 'last') return refuse({ formErrors: ['lastFactor'] });
  if (outcome === 'gone') throw data({ code: 'not_found' }, { status: 404 });
  await sendFactorNotice(context, owner.email, 'passkeyRemoved');
  return redirectWithNotice(LIST, 'passkeyRemoved');
}
