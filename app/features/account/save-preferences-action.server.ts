import { type ActionFunctionArgs, href } from 'react-router';
import { invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { readConsent } from '#app/domain/people/consent.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';
import { savePreferences } from '#app/engine/commands/account/save-preferences.ts';
import { preferencesSchema } from '#app/features/account/account-schemas.ts';
import { performAsMember } from '#app/perform.server.ts';
import { languageCookie, preferenceCookie, readCookie, TIME_ZONE_COOKIE } from '#app/platform/i18n/preference-cookies.server.ts';

/** Keeps language and zone with the account, for mails and for other browsers, and puts them to use in this one. */
export async function savePreferencesAction({ request, context }: ActionFunctionArgs) {
  const parsed = await parseForm(request, preferencesSchema);
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { language, timeZone = '' } = parsed.value;
  if (timeZone !== '' && !isTimeZone(timeZone)) return invalidForm(parsed.reply, { fieldErrors: { timeZone: ['invalid'] } });
  await performAsMember(context, savePreferences, { language, timeZone });
  const keep = readConsent(readCookie(request, 'consent'), null).gdpr ? 'visit' : 'year';
  const headers = new Headers({ 'Set-Cookie': languageCookie(language, keep) });
  headers.append('Set-Cookie', preferenceCookie(TIME_ZONE_COOKIE, timeZone, timeZone === '' ? 0 : keep));
  return redirectWithNotice(href('/dashboard/account/preferences'), 'preferencesSaved', { headers });
}
