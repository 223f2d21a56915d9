import { type ActionFunctionArgs, data, href, type RouterContextProvider } from 'react-router';
import { readMessage } from '#app/components/form/messages.ts';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { readConsent } from '#app/domain/people/consent.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import { FALLBACK_LANGUAGE } from '#app/domain/web/languages.ts';
import { storeContactRequest } from '#app/engine/commands/operator/store-contact-request.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { contactSchema } from '#app/features/public/contact/contact-schema.ts';
import type { ContactValues } from '#app/features/public/contact/contact-values.ts';
import { getI18n, getLanguage, getTranslator, translatorFor } from '#app/platform/i18n/i18n.server.ts';
import { readCookie } from '#app/platform/i18n/preference-cookies.server.ts';

const FROM_ONE_PLACE = { name: 'contact-place', max: 12, windowSeconds: 600 };
const FOR_ONE_ADDRESS = { name: 'contact-address', max: 4, windowSeconds: 3_600 };
/** The longest text that is given back; nobody types more. */
const ECHO_MAX = 8_000;

type Field = keyof ContactValues;
/** Why a request was refused, in the reader's language, with everything that was typed. */
export type ContactAnswer = { values: ContactValues; problems: Partial<Record<Field, string>>; problem: string | null };

/**
 * Stores a request for the operator and answers its writer by mail. 400 with what is wrong, 429 with how long to wait; a form that a
 * machine filled in is thanked and dropped. The mail repeats nothing that was typed, or this form would send anyone's words to any address.
 */
export async function requestContact({ request, context }: ActionFunctionArgs) {
  const form = await parseForm(request, contactSchema);
  const values = valuesOf(form.reply.submission.payload);
  if (!form.ok) {
    const problems: Partial<Record<Field, string>> = {};
    for (const field of Object.keys(values) as Field[]) {
      const problem = form.reply.errors.fieldErrors[field]?.[0];
      if (problem !== undefined) problems[field] = textOf(context, problem);
    }
    return data<ContactAnswer>({ values, problems, problem: null }, { status: 400 });
  }
  const { topic, name, email, company = '', message, website } = form.value;
  if (website === undefined || website === '') {
    const services = context.get(servicesContext);
    const place = addressBlock(context.get(clientContext).address);
    const wait = await services.access.asNobody(
      async (db) => (await takeLimit(db, FROM_ONE_PLACE, place)) || (await takeLimit(db, FOR_ONE_ADDRESS, email)),
    );
    if (wait > 0) {
      context.get(authContext).headers.set('Retry-After', String(wait));
      const problem = getTranslator(context, 'offer')('contact.wait', { wait: minutes(wait, getLanguage(context)) });
      return data<ContactAnswer>({ values, problems: {}, problem }, { status: 429 });
    }
    const { ccpa } = readConsent(readCookie(request, 'consent'), request.headers.get('Sec-GPC'));
    const id = services.newId();
    const asked = { id, topic, name, email, company, message, language: getLanguage(context), sharingRefused: ccpa };
    const stored = await performAsNobody(storeContactRequest, services, asked);
    if (stored) await Promise.all([acknowledge(context, email), notifyOperator(context, id)]);
  }
  // With a fragment of its own, or a browser without scripts keeps the form's and shows the form instead of the notice.
  return redirectWithNotice(`${href('/contact')}#content`, 'contactReceived');
}

/** A mail that fails undoes nothing: the request is stored, and the page says so. */
async function acknowledge(context: Readonly<RouterContextProvider>, email: string): Promise<void> {
  const { mailer, log } = context.get(servicesContext);
  const t = getTranslator(context, 'mail');
  try {
    await mailer.send({ to: email, subject: t('contactSubject'), text: [t('contactBody'), '', t('contactNotYou'), ''].join('\n') });
  } catch (error) {
    log.error('the answer to a contact request could not be sent', { error });
  }
}

/** The admins of the first workspace are told by the database; this is for the address that the settings name. It, too, repeats nothing. */
async function notifyOperator(context: Readonly<RouterContextProvider>, id: string): Promise<void> {
  const { mailer, log, operator, origin } = context.get(servicesContext);
  if (operator?.email == null) return;
  const t = translatorFor(FALLBACK_LANGUAGE, 'mail');
  const text = [t('contactOperatorBody'), `${origin}${href('/dashboard/admin/contact-requests/:request', { request: id })}`, ''].join(
    '\n\n',
  );
  try {
    await mailer.send({ to: operator.email, subject: t('contactOperatorSubject'), text });
  } catch (error) {
    log.error('the operator could not be told of a contact request', { error });
  }
}

function minutes(seconds: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'minute', unitDisplay: 'long' }).format(Math.ceil(seconds / 60));
}

function textOf(context: Readonly<RouterContextProvider>, problem: string): string {
  const { key, values } = readMessage(problem);
  return runtimeText(getI18n(context), 'validation', key, values) ?? problem;
}

function valuesOf(payload: Record<string, unknown>): ContactValues {
  const read = (field: Field) => {
    const value = payload[field];
    return typeof value === 'string' ? value.slice(0, ECHO_MAX) : '';
  };
  return { topic: read('topic'), name: read('name'), email: read('email'), company: read('company'), message: read('message') };
}
