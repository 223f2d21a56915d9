import { type ActionFunctionArgs, data, href } from 'react-router';

import { readMessage } from '#app/components/form/messages.ts';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { runtimeText } from '#app/components/text/runtime-text.ts';
import { authContext, clientContext, servicesContext } from '#app/contracts/request-context.ts';
import { readConsent } from '#app/domain/people/consent.ts';
import { addressBlock } from '#app/domain/web/address-block.ts';
import { storeSubscription } from '#app/engine/commands/operator/store-subscription.ts';
import { performAsNobody } from '#app/engine/commands/perform.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';
import { EMAIL_MAX, newsletterSchema } from '#app/features/public/contact/newsletter-schema.ts';
import { getI18n, getLanguage, getTranslator } from '#app/platform/i18n/i18n.server.ts';
import { readCookie } from '#app/platform/i18n/preference-cookies.server.ts';

const FROM_ONE_PLACE = { name: 'newsletter-place', max: 15, windowSeconds: 60 };
const FOR_ONE_ADDRESS = { name: 'newsletter-address', max: 5, windowSeconds: 3_600 };

/** The answer of the form in the reader's language, which never tells whether the address was known. */
export type NewsletterAnswer = { state: 'subscribed' } | { state: 'refused'; email: string; problem: string };

/** Stores an address once. 400 with what is wrong, 429 with how long to wait; a form that a machine filled in is thanked and dropped. */
export async function subscribeNewsletter({ request, context }: ActionFunctionArgs) {
  const form = await parseForm(request, newsletterSchema);
  if (!form.ok) {
    const { email } = form.reply.submission.payload;
    const [problem = 'invalid'] = form.reply.errors.fieldErrors.email ?? [];
    const { key, values } = readMessage(problem);
    const text = runtimeText(getI18n(context), 'validation', key, values) ?? problem;
    return refused(typeof email === 'string' ? email.slice(0, EMAIL_MAX) : '', text, 400);
  }
  const { email, website, inPlace } = form.value;
  if (website === undefined || website === '') {
    const services = context.get(servicesContext);
    const place = addressBlock(context.get(clientContext).address);
    const wait = await services.access.asNobody(
      async (db) => (await takeLimit(db, FROM_ONE_PLACE, place)) || (await takeLimit(db, FOR_ONE_ADDRESS, email)),
    );
    if (wait > 0) {
      context.get(authContext).headers.set('Retry-After', String(wait));
      return refused(email, getTranslator(context, 'public')('newsletter.wait', { count: Math.ceil(wait / 60) }), 429);
    }
    const { ccpa } = readConsent(readCookie(request, 'consent'), request.headers.get('Sec-GPC'));
    await performAsNobody(storeSubscription, services, { email, language: getLanguage(context), sharingRefused: ccpa });
  }
  if (inPlace) return data<NewsletterAnswer>({ state: 'subscribed' });
  return redirectWithNotice(href('/newsletter'), 'subscribed');
}

function refused(email: string, problem: string, status: 400 | 429) {
  return data<NewsletterAnswer>({ state: 'refused', email, problem }, { status });
}
