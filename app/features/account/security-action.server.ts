import { type ActionFunctionArgs, data, href } from 'react-router';
import { type FormErrors, type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { CredentialRefusal } from '#app/contracts/identity.ts';
import { authContext } from '#app/contracts/request-context.ts';
import { recordAccountChange } from '#app/engine/commands/account/record-account-change.ts';
import { changeEmailSchema, changePasswordSchema, removeIdentitySchema } from '#app/features/account/account-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';

const SECURITY_PATH = href('/dashboard/account/security');

/** The answer of a form on the security screen unless it redirects; `form` names the form, `key` the provider that it is about. */
export type SecurityAnswer = { form: 'password' | 'email' | 'identity'; key?: string; result: FormResult };

/** The forms of the screen. Each asks for the present password, or a stronger proof. */
export async function changeSecurity(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
  if (form === 'identity') return disconnect(args);
  return form === 'email' ? changeEmail(args) : changePassword(args);
}

async function changePassword({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, changePasswordSchema);
  if (!parsed.ok) return refuse('password', parsed.reply);
  const { currentPassword, newPassword } = parsed.value;
  const refusal = await context.get(authContext).changePassword({ current: currentPassword, next: newPassword });
  if (refusal !== null) return refuse('password', parsed.reply, refusal);
  await performAsMember(context, recordAccountChange, { done: 'account.passwordChanged' });
  return redirectWithNotice(SECURITY_PATH, 'passwordChanged');
}

async function changeEmail({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, changeEmailSchema);
  if (!parsed.ok) return refuse('email', parsed.reply);
  const { email, currentPassword } = parsed.value;
  const refusal = await context.get(authContext).changeEmail({ current: currentPassword, email });
  if (refusal !== null) return refuse('email', parsed.reply, refusal);
  await performAsMember(context, recordAccountChange, { done: 'account.emailChangeRequested' });
  return redirectWithNotice(SECURITY_PATH, 'emailChangeSent', { kind: 'info' });
}

async function disconnect({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, removeIdentitySchema);
  const { key: typed } = parsed.reply.submission.payload;
  const key = typeof typed === 'string' ? typed : '';
  const refused = (errors?: FormErrors) =>
    data<SecurityAnswer>({ form: 'identity', key, result: invalidForm(parsed.reply, errors).data }, { status: 400 });
  if (!parsed.ok) return refused();
  const outcome = await context.get(authContext).disconnect(key, parsed.value);
  if (typeof outcome === 'object') return refused(outcome);
  if (outcome === 'gone') throw data({ code: 'not_found' }, { status: 404 });
  return redirectWithNotice(SECURITY_PATH, 'identityRemoved');
}

function refuse(form: SecurityAnswer['form'], reply: FormReply, refusal?: CredentialRefusal) {
  const errors = refusal === undefined ? {} : { fieldErrors: { [refusal.field]: refusal.messages } };
  return data<SecurityAnswer>({ form, result: invalidForm(reply, errors).data }, { status: 400 });
}
