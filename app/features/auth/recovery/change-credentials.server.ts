import { href, type RouterContextProvider } from 'react-router';
import { message } from '#app/components/form/messages.ts';
import type { AuthFailure, CredentialRefusal } from '#app/contracts/identity.ts';
import { authContext, servicesContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { failureGroup, passwordFaults } from '#app/features/auth/browser/auth-failure.ts';
import { lacksFactor } from '#app/features/auth/factor/second-factor.server.ts';
import { OTHER_MAILBOX } from '#app/features/auth/recovery/email-link.ts';
import { sendPasswordNotice } from '#app/features/auth/recovery/send-password-notice.server.ts';
import { verifyPassword } from '#app/features/auth/session/verify-password.server.ts';
import { takeAttempts } from '#app/features/auth/sign-in/attempt-limits.server.ts';
import { clientBlock } from '#app/features/auth/sign-in/refused-form.server.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

type Context = Readonly<RouterContextProvider>;

/** Null: it is this person's password. Otherwise its field and fault. */
export async function provePassword(context: Context, password: string): Promise<CredentialRefusal | null> {
  const { user } = context.get(authContext);
  const refuse = (text: string): CredentialRefusal => ({ field: 'currentPassword', messages: [message(text)] });
  try {
    return user !== null && (await verifyPassword(context, user, password)) ? null : refuse('wrongPassword');
  } catch (error) {
    if (error instanceof AppError && error.code === 'over_limit') return refuse('tooManyAttempts');
    if (error instanceof AppError && error.code === 'unavailable') return refuse('identityUnavailable');
    throw error;
  }
}

/** A new password against the present one. Ends all other sessions and tells the owner by mail. */
export async function changePassword(context: Context, change: { current: string; next: string }): Promise<CredentialRefusal | null> {
  const refused = (await provePassword(context, change.current)) ?? (await refuseWithoutFactor(context, 'newPassword'));
  if (refused !== null) return refused;
  if (context.get(servicesContext).identity.isLeaked(change.next)) return { field: 'newPassword', messages: [message('passwordLeaked')] };
  const { client, user } = context.get(authContext);
  const { error } = await client.auth.updateUser({ password: change.next, current_password: change.current });
  if (error !== null) return refusalOf(error, 'newPassword');
  // The service leaves other sessions open: whoever knew the old password must not stay in.
  const ended = await client.auth.signOut({ scope: 'others' });
  if (ended.error !== null) throw new Error('other sessions could not be ended', { cause: ended.error });
  if (user !== null) await sendPasswordNotice(context, user.email);
  return null;
}

/**
 * Asks the service to change the address: nothing changes before a link in its mail was used. An address that has an account already answers
 * alike, or this form would tell who has one.
 */
export async function changeEmail(context: Context, change: { current: string; email: string }): Promise<CredentialRefusal | null> {
  const refused = (await provePassword(context, change.current)) ?? (await refuseWithoutFactor(context, 'email'));
  if (refused !== null) return refused;
  const { access, origin } = context.get(servicesContext);
  const { client, user } = context.get(authContext);
  const wait = await takeAttempts(access, [
    { limit: 'mailPace', subject: `email_change ${user?.id}` },
    { limit: 'mailAccount', subject: change.email },
    { limit: 'mailAddress', subject: clientBlock(context) },
  ]);
  if (wait > 0) return { field: 'email', messages: [message('tooManyMails')] };
  // Where both mailboxes confirm, the project's default link of the first comes back with nothing but this.
  const { error } = await client.auth.updateUser(
    { email: change.email },
    { emailRedirectTo: `${origin}${href('/auth/confirm')}?sent=${OTHER_MAILBOX}` },
  );
  if (error !== null && failureGroup(error) !== 'taken') return refusalOf(error, 'email');
  if (user !== null) await sendEmailNotice(context, user.email);
  return null;
}

/** After a recovery code no factor was shown: the lost one must be removed first. */
async function refuseWithoutFactor(context: Context, field: 'newPassword' | 'email'): Promise<CredentialRefusal | null> {
  return (await lacksFactor(context)) ? { field, messages: [message('secondFactorFirst')] } : null;
}

function refusalOf(error: AuthFailure, field: 'newPassword' | 'email'): CredentialRefusal {
  const group = failureGroup(error);
  if (group === 'tooMany') return { field, messages: [message('tooManyAttempts')] };
  if (group === 'unavailable') return { field, messages: [message('identityUnavailable')] };
  if (group === 'secondFactor') return { field, messages: [message('secondFactorFirst')] };
  return { field, messages: field === 'newPassword' ? passwordFaults(error).map((fault) => message(fault)) : [message('invalidEmail')] };
}

/** To the address that would be left: who did not ask for it learns of it while it can still be stopped. */
async function sendEmailNotice(context: Context, email: string): Promise<void> {
  const { mailer, origin, log } = context.get(servicesContext);
  const t = getTranslator(context, 'mail');
  const text = [t('emailChangeBody'), '', t('emailChangeNotYou'), `${origin}${href('/reset-password')}`, ''].join('\n');
  try {
    await mailer.send({ to: email, subject: t('emailChangeSubject'), text });
  } catch (error) {
    log.error('the notice of a change of address could not be sent', { error });
  }
}
