import { type ActionFunctionArgs, href, redirect } from 'react-router';
import { type FormReply, parseForm, parseFormData } from '#app/components/form/parse-form.server.ts';
import type { AuthFailure, AuthSession } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { OTHER_MAILBOX, readEmailLink, recoveryPath, signInLinkPath } from '#app/features/auth/recovery/email-link.ts';
import { beginRecovery } from '#app/features/auth/recovery/recovery-session.server.ts';
import { requestMail } from '#app/features/auth/recovery/request-mail.server.ts';
import { openAccount } from '#app/features/auth/session/open-account.server.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { codeFormSchema, emailFormSchema, noFieldsSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { emailCookie } from '#app/features/auth/sign-in/email-cookie.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/** The three forms of the confirmation page: use the link, use the code of the same e-mail, ask for another e-mail. */
export async function confirm(args: ActionFunctionArgs) {
  const form = await args.request.clone().formData();
  if (form.get('form') === 'code') return confirmWithCode(args);
  if (form.get('form') === 'resend') return resendConfirmation(args);
  return confirmWithLink(args);
}

async function confirmWithLink(args: ActionFunctionArgs) {
  const { request, url, context } = args;
  const { reply } = await parseForm(request, noFieldsSchema);
  const wait = await takeAttempts(context.get(servicesContext).access, [{ limit: 'linkAddress', subject: clientBlock(context) }]);
  if (wait > 0) return tooManyAttempts(context, reply, wait);
  const link = readEmailLink(url.searchParams);
  if (link.kind !== 'token' && link.kind !== 'code') return refusedForm(context, reply, 'link');
  // Used here it would open a session without a new password, of which the account's owner is told nothing.
  if (link.kind === 'token' && link.type === 'recovery') return redirect(recoveryPath(link.tokenHash), { status: 303 });
  // Its page is another, which looks at the browser.
  if (link.kind === 'token' && link.type === 'magiclink') return redirect(signInLinkPath(link.tokenHash), { status: 303 });
  const { auth } = context.get(authContext).client;
  if (link.kind === 'code') {
    const { data, error } = await auth.exchangeCodeForSession(link.code);
    if (error === null) return data.redirectType === 'recovery' ? toNewPassword(args, data) : openAccount(args, data);
    return refuseLink(args, reply, error);
  }
  const { data, error } = await auth.verifyOtp({ token_hash: link.tokenHash, type: link.type });
  return error === null ? openOrWait(args, data) : refuseLink(args, reply, error);
}

/** A project may want both mailboxes to confirm a new address: the first of them opens no session. */
function openOrWait(args: ActionFunctionArgs, opened: Parameters<typeof openAccount>[1]): Promise<Response> | Response {
  return opened.session === null ? redirect(`${href('/auth/confirm')}?sent=${OTHER_MAILBOX}`, { status: 303 }) : openAccount(args, opened);
}

function refuseLink({ context }: ActionFunctionArgs, reply: FormReply, error: AuthFailure) {
  const group = failureGroup(error);
  return refusedForm(context, reply, group === 'unavailable' || group === 'tooMany' ? error : 'link');
}

/** The code of a recovery says what it is only once it is used. */
async function toNewPassword(args: ActionFunctionArgs, opened: { session: AuthSession }): Promise<Response> {
  const claims = await args.context.get(servicesContext).identity.verifyAccessToken(opened.session.access_token);
  if (claims === null) throw new Error('the auth service answered a session that does not verify');
  await beginRecovery(args, { id: claims.userId, email: claims.email, sessionId: claims.sessionId });
  return redirect(href('/reset-password'), { status: 303 });
}

async function confirmWithCode(args: ActionFunctionArgs) {
  const { request, context } = args;
  const { access } = context.get(servicesContext);
  const parsed = await parseFormData(await request.formData(), codeFormSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { email, code } = parsed.value;
  const wait = await takeAttempts(access, [
    { limit: 'codeAccount', subject: email },
    { limit: 'codeAddress', subject: clientBlock(context) },
  ]);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  // A recovery code is not among them: it is used together with a new password only (reset-action).
  const answer = await constantTimeResponse(async () => {
    const { auth } = context.get(authContext).client;
    const first = await auth.verifyOtp({ email, token: code, type: 'signup' });
    if (first.error === null || failureGroup(first.error) === 'unavailable') return first;
    return auth.verifyOtp({ email, token: code, type: 'email_change' });
  });
  if (answer.error === null) return openOrWait(args, answer.data);
  if (failureGroup(answer.error) === 'unavailable') return refusedForm(context, parsed.reply, 'unavailable');
  return invalidFields(parsed.reply, { fieldErrors: { code: ['codeWrong'] } });
}

async function resendConfirmation(args: ActionFunctionArgs) {
  const parsed = await parseForm(args.request, emailFormSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const refused = await requestMail(args, 'signup', parsed.value.email, parsed.reply);
  if (refused !== null) return refused;
  const remembered = emailCookie(parsed.value.email, args.context.get(clientContext).secure);
  return redirect(`${href('/auth/confirm')}?sent=again`, { status: 303, headers: { 'Set-Cookie': remembered } });
}
