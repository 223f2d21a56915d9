import { type ActionFunctionArgs, href, redirect } from 'react-router';
import { type FormReply, parseForm } from '#app/components/form/parse-form.server.ts';
import type { AuthAnswer, AuthSession, AuthUser } from '#app/contracts/identity.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { MAILED_SECONDS, mailCookie, readMailCookie } from '#app/features/auth/mail/mail-cookie.server.ts';
import { readEmailLink } from '#app/features/auth/recovery/email-link.ts';
import { openApart } from '#app/features/auth/recovery/mail-client.server.ts';
import { requestMail } from '#app/features/auth/recovery/request-mail.server.ts';
import { openAccount } from '#app/features/auth/session/open-account.server.ts';
import { returnCookie } from '#app/features/auth/session/return-cookie.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { codeFormSchema, emailFormSchema, noFieldsSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { emailCookie } from '#app/features/auth/sign-in/email-cookie.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/** The forms of `/auth/mail`: ask for a mail, sign in with its code, sign in with its link. What follows is as after a password. */
export async function signInByMail(args: ActionFunctionArgs) {
  const form = (await args.request.clone().formData()).get('form');
  if (form === 'code') return signInWithCode(args);
  return form === 'link' ? signInWithLink(args) : askForMail(args);
}

/** An address without an account, or whose account is not confirmed, answers as any other; no account is made. */
async function askForMail(args: ActionFunctionArgs) {
  const { request, url, context } = args;
  const { engine, now } = context.get(servicesContext);
  const { secure } = context.get(clientContext);
  const parsed = await parseForm(request, emailFormSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { email } = parsed.value;
  const refused = await requestMail(args, 'signIn', email, parsed.reply);
  if (refused !== null) return refused;
  const headers = new Headers({ 'Set-Cookie': emailCookie(email, secure) });
  headers.append('Set-Cookie', mailCookie(engine.sealer, email, now(), secure));
  if (url.searchParams.has('next')) headers.append('Set-Cookie', returnCookie(returnPath(url.searchParams.get('next')), secure));
  return redirect(`${href('/auth/mail')}?sent=1`, { status: 303, headers });
}

async function signInWithLink(args: ActionFunctionArgs) {
  const { request, url, context } = args;
  const { engine, now } = context.get(servicesContext);
  const { reply } = await parseForm(request, noFieldsSchema);
  const email = readMailCookie(engine.sealer, request.headers.get('Cookie'), now());
  const link = readEmailLink(url.searchParams);
  if (email === null || (link.kind !== 'token' && link.kind !== 'code')) return refusedForm(context, reply, 'link');
  // A link holds no more than its six digits do: guessing one counts as guessing the other.
  const attempts = attemptsFor(args, email, 'linkAddress');
  const wait = await takeAttempts(context.get(servicesContext).access, attempts);
  if (wait > 0) return tooManyAttempts(context, reply, wait);
  const apart = openApart(context, request);
  const opened =
    link.kind === 'code'
      ? await apart.client.auth.exchangeCodeForSession(link.code)
      : await apart.client.auth.verifyOtp({ token_hash: link.tokenHash, type: 'magiclink' });
  return finish(args, { apart, opened, attempts, reply, email });
}

async function signInWithCode(args: ActionFunctionArgs) {
  const { request, context } = args;
  const parsed = await parseForm(request, codeFormSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { email, code } = parsed.value;
  const attempts = attemptsFor(args, email, 'codeAddress');
  const wait = await takeAttempts(context.get(servicesContext).access, attempts);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  // As long for an address without an account as for a wrong code.
  const apart = openApart(context, request);
  const opened = await constantTimeResponse(() => apart.client.auth.verifyOtp({ email, token: code, type: 'magiclink' }));
  return finish(args, { apart, opened, attempts, reply: parsed.reply, email });
}

function attemptsFor({ context }: ActionFunctionArgs, email: string, ofAddress: 'linkAddress' | 'codeAddress'): Attempt[] {
  return [
    { limit: 'codeAccount', subject: email },
    { limit: ofAddress, subject: clientBlock(context) },
  ];
}

type Try = {
  apart: ReturnType<typeof openApart>;
  opened: AuthAnswer<{ session: AuthSession | null; user: AuthUser | null }>;
  attempts: readonly Attempt[];
  reply: FormReply;
  /** For which the mail was asked, or the code given. */
  email: string;
};

async function finish(args: ActionFunctionArgs, { apart, opened, attempts, reply, email }: Try) {
  const { context } = args;
  const { access, engine, identity, now } = context.get(servicesContext);
  if (opened.error !== null) {
    const group = failureGroup(opened.error);
    if (group !== 'unavailable' && group !== 'tooMany') return refuse(args, reply);
    await giveBackAttempts(access, attempts);
    return refusedForm(context, reply, opened.error);
  }
  // A link for somebody else would lead into their account, and a guess at one counts for the address that was asked for.
  // A project's mails may live longer than ours say; the embedded service knows the ten minutes itself.
  const { user } = opened.data;
  if (!isOf(user, email) || (identity.mode === 'hosted' && isLate(user, now()))) {
    await apart.client.auth.signOut({ scope: 'local' });
    return refuse(args, reply);
  }
  await giveBackAttempts(access, attempts);
  apart.sign();
  const { secure } = context.get(clientContext);
  context.get(authContext).headers.append('Set-Cookie', mailCookie(engine.sealer, null, now(), secure));
  return openAccount(args, opened.data);
}

function refuse({ context }: ActionFunctionArgs, reply: FormReply) {
  return reply.submission.payload.form === 'code'
    ? invalidFields(reply, { fieldErrors: { code: ['codeWrong'] } })
    : refusedForm(context, reply, 'link');
}

/** Two spellings of one address differ by the case of their letters alone. */
function isOf(user: AuthUser | null, email: string): boolean {
  return user?.email !== undefined && user.email.toLowerCase() === email.toLowerCase();
}

function isLate(user: AuthUser | null, now: Date): boolean {
  const sentAt = Date.parse(user?.recovery_sent_at ?? '');
  return now.getTime() - sentAt > MAILED_SECONDS * 1000;
}
