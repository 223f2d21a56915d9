import type { ActionFunctionArgs } from 'react-router';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { failureGroup } from '#app/features/auth/browser/auth-failure.ts';
import { openAccount } from '#app/features/auth/session/open-account.server.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { signInSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';

/**
 * Signs in with e-mail and password and goes on to where the person was going. A wrong password, an unknown address and an account that is
 * not confirmed answer alike.
 */
export async function signIn(args: ActionFunctionArgs) {
  const { request, context } = args;
  const { access } = context.get(servicesContext);
  const parsed = await parseForm(request, signInSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { email, password } = parsed.value;
  const block = clientBlock(context);
  const attempts: Attempt[] = [
    { limit: 'signInFromHere', subject: `${email} ${block}` },
    { limit: 'signInAccount', subject: email },
    { limit: 'signInAddress', subject: block },
  ];
  const wait = await takeAttempts(access, attempts);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);
  const { data, error } = await constantTimeResponse(() => context.get(authContext).client.auth.signInWithPassword({ email, password }));
  if (error !== null) {
    const group = failureGroup(error);
    if (group === 'unavailable') await giveBackAttempts(access, attempts);
    // A password too long to be anyone's is a wrong one.
    return refusedForm(context, parsed.reply, group === 'password' ? 'wrongDetails' : error);
  }
  await giveBackAttempts(access, attempts);
  return openAccount(args, data);
}
