import { type ActionFunctionArgs, href } from 'react-router';
import type { FormReply } from '#app/components/form/parse-form.server.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { openMailClient } from '#app/features/auth/recovery/mail-client.server.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { clientBlock, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/**
 * Asks for a confirmation or recovery e-mail. Null when it was asked for, whether or not there is such an account; otherwise the answer to
 * give. We pace requests ourselves and more slowly than the service does, whose own refusal would tell that there is an account.
 */
export async function requestMail(args: ActionFunctionArgs, kind: 'signup' | 'recovery', email: string, reply: FormReply) {
  const { request, context } = args;
  const { access, identity, origin } = context.get(servicesContext);
  const wait = await takeAttempts(access, [
    { limit: 'mailPace', subject: `${kind} ${email}` },
    { limit: 'mailAccount', subject: email },
    { limit: 'mailAddress', subject: clientBlock(context) },
  ]);
  if (wait > 0) return tooManyAttempts(context, reply, wait);
  const { error } = await constantTimeResponse(() => {
    const { client } = openMailClient(context, request);
    // The embedded service refuses every resend; recovery confirms the account as well.
    return kind === 'recovery' || identity.mode === 'embedded'
      ? client.auth.resetPasswordForEmail(email, { redirectTo: `${origin}${href('/reset-password')}` })
      : client.auth.resend({ type: 'signup', email, options: { emailRedirectTo: `${origin}/app/dashboard` } });
  });
  if (error === null) return null;
  const group = failureGroup(error);
  return group === 'unavailable' || group === 'tooMany' || group === 'closed' ? refusedForm(context, reply, error) : null;
}
