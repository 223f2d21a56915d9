import { href, type RouterContextProvider } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { getTranslator } from '#app/platform/i18n/i18n.server.ts';

/** Tells the owner of an account that its password was changed. A mail that fails undoes nothing: the password is changed. */
export async function sendPasswordNotice(context: Readonly<RouterContextProvider>, email: string): Promise<void> {
  const { mailer, origin, log } = context.get(servicesContext);
  const t = getTranslator(context, 'mail');
  const text = [t('passwordChangedBody'), '', t('passwordChangedNotYou'), `${origin}${href('/reset-password')}`, ''].join('\n');
  try {
    await mailer.send({ to: email, subject: t('passwordChangedSubject'), text });
  } catch (error) {
    log.error('the notice of a changed password could not be sent', { error });
  }
}
