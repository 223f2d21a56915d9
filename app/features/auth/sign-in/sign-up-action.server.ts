import { type ActionFunctionArgs, href, type RouterContextProvider, redirect } from 'react-router';
import { type FormReply, parseForm } from '#app/components/form/parse-form.server.ts';
import { clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { isExpected } from '#app/engine/account/expected-addresses.ts';
import { failureGroup, passwordFaults } from '#app/features/auth/browser/auth-failure.ts';
import { openMailClient } from '#app/features/auth/recovery/mail-client.server.ts';
import { openAccount } from '#app/features/auth/session/open-account.server.ts';
import { returnCookie } from '#app/features/auth/session/return-cookie.ts';
import { returnPath } from '#app/features/auth/session/return-path.ts';
import { admissionOf, isAdmitted } from '#app/features/auth/sign-in/admission.server.ts';
import type { Admission } from '#app/features/auth/sign-in/admission.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';
import { signUpSchema } from '#app/features/auth/sign-in/credentials-schema.ts';
import { emailCookie } from '#app/features/auth/sign-in/email-cookie.ts';
import { clientBlock, invalidFields, refusedForm, tooManyAttempts } from '#app/features/auth/sign-in/refused-form.server.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';

/**
 * Makes an account and sends the confirmation e-mail. Nobody is signed in by this. An address that has an account answers exactly as a new
 * one does, and its owner gets an e-mail that leads in. So does one that no directory expects, where only those make accounts.
 */
export async function signUp(args: ActionFunctionArgs) {
  const { request, url, context } = args;
  const { access, origin, identity } = context.get(servicesContext);
  const parsed = await parseForm(request, signUpSchema);
  if (!parsed.ok) return invalidFields(parsed.reply);
  const { email, password, name } = parsed.value;
  if (identity.isLeaked(password)) return invalidFields(parsed.reply, { fieldErrors: { password: ['passwordLeaked'] } });
  const admission = await admissionOf(context, url);
  if (!isAdmitted(context, admission, email)) return refuseAddress(context, parsed.reply, admission);
  const wait = await takeAttempts(access, [
    { limit: 'mailPace', subject: `signup ${email}` },
    { limit: 'mailAccount', subject: email },
    { limit: 'signUpAddress', subject: clientBlock(context) },
  ]);
  if (wait > 0) return tooManyAttempts(context, parsed.reply, wait);

  const isMade = admission.kind !== 'expected' || (await access.asNobody((db) => isExpected(db, email)));
  const answer = await constantTimeResponse(async () => {
    const { client, sign } = openMailClient(context, request);
    if (!isMade) return { made: null, sign };
    const made = await client.auth.signUp({
      email,
      password,
      options: { emailRedirectTo: `${origin}/app/dashboard`, data: { name: name ?? '', language: getLanguage(context) } },
    });
    if (made.error === null) return { made, sign };
    const group = failureGroup(made.error);
    // The embedded service answers 429 for every address it knows and sends nothing: the way in by e-mail is recovery.
    const known = group === 'taken' || (identity.mode === 'embedded' && group === 'tooMany');
    if (!known) return { made, sign };
    if (identity.mode === 'embedded') await client.auth.resetPasswordForEmail(email, { redirectTo: `${origin}${href('/reset-password')}` });
    return { made: null, sign };
  });

  if (answer.made?.error) return refuseSignUp(context, parsed.reply, answer.made.error);
  const session = answer.made?.data.session ?? null;
  // Only where the operator switched confirmation off (hosted).
  if (answer.made !== null && session !== null) {
    answer.sign();
    return openAccount(args, answer.made.data);
  }
  return toCheckEmail(url, context, email);
}

/** Where no address of this person's could be admitted, the form has no field to change. */
function refuseAddress(context: Readonly<RouterContextProvider>, reply: FormReply, { kind }: Admission) {
  return kind === 'domains' || kind === 'invitation'
    ? invalidFields(reply, { fieldErrors: { email: ['emailNotAdmitted'] } })
    : refusedForm(context, reply, 'closed');
}

function refuseSignUp(context: Readonly<RouterContextProvider>, reply: FormReply, failure: Parameters<typeof failureGroup>[0]) {
  if (failureGroup(failure) === 'password') return invalidFields(reply, { fieldErrors: { password: passwordFaults(failure) } });
  if (failure.code === 'email_address_invalid') return invalidFields(reply, { fieldErrors: { email: ['invalidEmail'] } });
  return refusedForm(context, reply, failure);
}

function toCheckEmail(url: URL, context: Readonly<RouterContextProvider>, email: string): Response {
  const next = returnPath(url.searchParams.get('next'));
  const { secure } = context.get(clientContext);
  const headers = new Headers({ 'Set-Cookie': returnCookie(next, secure) });
  headers.append('Set-Cookie', emailCookie(email, secure));
  return redirect(`${href('/auth/confirm')}?sent=signup`, { status: 303, headers });
}
