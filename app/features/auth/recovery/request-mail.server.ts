import { type ActionFunctionArgs, href, type RouterContextProvider } from 'react-router';
import type { FormReply } from '#app/components/form/parse-form.server.ts';
import type { AuthClient } from '#app/contracts/identity.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { openMailClient } from '#app/features/auth/recovery/mail-client.server.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { clientBlock, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

type MailRequest = 'signup' | 'recovery' | 'signIn';

/**
 * Asks for an e-mail to confirm an account, to choose a new password or to sign in. Null when it was asked for, whether or not there is such
 * an account; otherwise the answer to give. We pace requests ourselves and more slowly than the service does, whose own refusal would tell
 * that there is an account.
 */
export async function requestMail(args: ActionFunctionArgs, kind: MailRequest, email: string, reply: FormReply) {
  const { request, context } = args;
  const { access } = context.get(servicesContext);
  const wait = await takeAttempts(access, [
    ...pacedAs(kind).map((pace) => ({ limit: 'mailPace', subject: `${pace} ${email}` }) as const),
    { limit: 'mailAccount', subject: email },
    { limit: 'mailAddress', subject: clientBlock(context) },
  ]);
  if (wait > 0) return tooManyAttempts(context, reply, wait);
  const { error } = await constantTimeResponse(() => send(openMailClient(context, request).client, context, kind, email));
  if (error === null) return null;
  const group = failureGroup(error);
  return group === 'unavailable' || group === 'tooMany' || group === 'closed' ? refusedForm(context, reply, error) : null;
}

/** A hosted service paces mails to sign in together with those for a new password, or with those that confirm where that is due. */
function pacedAs(kind: MailRequest): ('signup' | 'recovery')[] {
  return kind === 'signIn' ? ['recovery', 'signup'] : [kind];
}

function send({ auth }: AuthClient, context: Readonly<RouterContextProvider>, kind: MailRequest, email: string) {
  const { identity, origin } = context.get(servicesContext);
  if (kind === 'signIn')
    return auth.signInWithOtp({ email, options: { shouldCreateUser: false, emailRedirectTo: `${origin}${href('/auth/mail')}` } });
  // The embedded service refuses every resend; recovery confirms the account as well.
  return kind === 'recovery' || identity.mode === 'embedded'
    ? auth.resetPasswordForEmail(email, { redirectTo: `${origin}${href('/reset-password')}` })
    : auth.resend({ type: 'signup', email, options: { emailRedirectTo: `${origin}/app/dashboard` } });
}
