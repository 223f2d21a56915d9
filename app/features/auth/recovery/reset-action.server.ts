import { type ActionFunctionArgs, href, redirect } from 'react-router';
import { type FormReply, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import type { AuthAnswer, AuthSession, AuthUser, SessionUser } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup, passwordFaults } from '#app/features/auth/browser/auth-failure.ts';
import { giveUpLostFactor, needsSecondFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { readEmailLink } from '#app/features/auth/recovery/email-link.ts';
import { isRecovering } from '#app/features/auth/recovery/recovery-cookie.server.ts';
import { beginRecovery, endRecovery } from '#app/features/auth/recovery/recovery-session.server.ts';
import { requestMail } from '#app/features/auth/recovery/request-mail.server.ts';
import { sendPasswordNotice } from '#app/features/auth/recovery/send-password-notice.server.ts';
import { ensureAccount } from '#app/features/auth/session/ensure-account.server.ts';
import { type Attempt, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { choosePasswordSchema, choosePasswordWithCodeSchema, emailFormSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { emailCookie } from '#app/features/auth/sign-in/email-cookie.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/** The forms of `/reset-password`: ask for the e-mail, choose the new password (with the link, or with the code of the e-mail). */
export async function resetPassword(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
  if (form === 'choose') return chooseWithLink(args);
  if (form === 'code') return chooseWithCode(args);
  return requestReset(args);
}

async function requestReset(args: ActionFunctionArgs) {
  const parsed = await parseForm(args.request, emailFormSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const refused = await requestMail(args, 'recovery', parsed.value.email, parsed.reply);
  if (refused !== null) return refused;
  const remembered = emailCookie(parsed.value.email, args.context.get(clientContext).secure);
  return redirect(`${href('/reset-password')}?sent=1`, { status: 303, headers: { 'Set-Cookie': remembered } });
}

/** The link is used only now, together with a valid password: before that, nobody is signed in by it. */
async function chooseWithLink(args: ActionFunctionArgs) {
  const { request, url, context } = args;
  const { access, engine, identity, now } = context.get(servicesContext);
  const parsed = await parseForm(request, choosePasswordSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  if (identity.isLeaked(parsed.value.password)) return refuseLeaked(parsed.reply);
  const { client, user } = context.get(authContext);
  // A link that was used already, and whose password was refused: its session is still here.
  if (user !== null && isRecovering(engine.sealer, request.headers.get('Cookie'), user.sessionId, now())) {
    return setPassword(args, user, parsed.value.password, parsed.reply);
  }
  const wait = await takeAttempts(access, [{ limit: 'linkAddress', subject: clientBlock(context) }]);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  const link = readEmailLink(url.searchParams);
  if (link.kind !== 'token' && link.kind !== 'code') return refusedForm(context, parsed.reply, 'link');
  const opened =
    link.kind === 'token'
      ? await client.auth.verifyOtp({ token_hash: link.tokenHash, type: 'recovery' })
      : await client.auth.exchangeCodeForSession(link.code);
  return setPasswordIn(args, opened, parsed.value.password, parsed.reply);
}

async function chooseWithCode(args: ActionFunctionArgs) {
  const { request, context } = args;
  const parsed = await parseForm(request, choosePasswordWithCodeSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { email, code, password } = parsed.value;
  if (context.get(servicesContext).identity.isLeaked(password)) return refuseLeaked(parsed.reply);
  const attempts: Attempt[] = [
    { limit: 'codeAccount', subject: email },
    { limit: 'codeAddress', subject: clientBlock(context) },
  ];
  const wait = await takeAttempts(context.get(servicesContext).access, attempts);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  // As long for an address without an account as for a wrong code.
  const opened = await constantTimeResponse(() => context.get(authContext).client.auth.verifyOtp({ email, token: code, type: 'recovery' }));
  if (opened.error !== null && failureGroup(opened.error) !== 'unavailable')
    return invalidFields(parsed.reply, { fieldErrors: { code: ['codeWrong'] } });
  return setPasswordIn(args, opened, password, parsed.reply);
}

/** Before the link or the code is used: it stays good for another password. */
function refuseLeaked(reply: FormReply) {
  return invalidFields(reply, { fieldErrors: { password: ['passwordLeaked'] } });
}

type Opened = AuthAnswer<{ session: AuthSession | null; user: AuthUser | null }>;

async function setPasswordIn(args: ActionFunctionArgs, opened: Opened, password: string, reply: FormReply) {
  if (opened.error !== null) {
    const group = failureGroup(opened.error);
    return refusedForm(args.context, reply, group === 'unavailable' || group === 'tooMany' ? opened.error : 'link');
  }
  const claims = await args.context.get(servicesContext).identity.verifyAccessToken(opened.data.session?.access_token ?? '');
  if (claims === null) throw new Error('the auth service answered a session that does not verify');
  const name = opened.data.user?.user_metadata.name;
  const user = { id: claims.userId, email: claims.email, sessionId: claims.sessionId };
  await ensureAccount(args.context, user, typeof name === 'string' ? name : undefined);
  await beginRecovery(args, user);
  return setPassword(args, user, password, reply);
}

async function setPassword(args: ActionFunctionArgs, user: SessionUser, password: string, reply: FormReply) {
  const { context } = args;
  const { client, headers } = context.get(authContext);
  const { secure } = context.get(clientContext);
  let { error } = await client.auth.updateUser({ password });
  // After a recovery code was used, the service would continue asking for the lost factor.
  if (error !== null && failureGroup(error) === 'secondFactor' && (await giveUpLostFactor(context, user)))
    ({ error } = await client.auth.updateUser({ password }));
  if (error !== null) {
    // The mailbox is not the second factor: that is asked for first, and then the password again.
    if (failureGroup(error) === 'secondFactor' && (await needsSecondFactor(context, user)))
      return redirect(href('/auth/factor'), { status: 303 });
    if (failureGroup(error) === 'password') return invalidFields(reply, { fieldErrors: { password: passwordFaults(error) } });
    return refusedForm(context, reply, error);
  }
  // The service leaves other sessions open: whoever knew the old password must not stay in.
  const ended = await client.auth.signOut({ scope: 'others' });
  if (ended.error !== null) throw new Error('other sessions could not be ended', { cause: ended.error });
  await endRecovery(args, user);
  headers.append('Set-Cookie', emailCookie(null, secure));
  await sendPasswordNotice(context, user.email);
  return redirectWithNotice(href('/dashboard'), 'passwordChanged');
}
