import type { RouterContextProvider } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { readConsent } from '#app/domain/people/consent.ts';
import { isLanguage } from '#app/domain/web/languages.ts';
import { languageCookie, preferenceCookie, readCookie, TIME_ZONE_COOKIE } from '#app/platform/i18n/preference-cookies.server.ts';

/**
 * Cookies by which this browser takes on the language and the time zone that were saved with the account; how it looks follows with the first
 * page (appearance.server). None where nothing was saved: then the browser keeps its own. That they cannot be read keeps nobody out.
 */
export async function keptPreferenceCookies(
  context: Readonly<RouterContextProvider>,
  request: Request,
  who: { userId: string; sessionId: string },
): Promise<string[]> {
  const { access, log } = context.get(servicesContext);
  try {
    const row = await access.asMember({ ...who, workspaceId: null }, (db) =>
      db.selectFrom('quorate.preferences').select('settings').where('user_id', '=', who.userId).executeTakeFirst(),
    );
    const settings = row?.settings;
    if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) return [];
    const { language, timeZone } = settings;
    const keep = readConsent(readCookie(request, 'consent'), null).gdpr ? 'visit' : 'year';
    return [
      ...(isLanguage(language) ? [languageCookie(language, keep)] : []),
      ...(typeof timeZone === 'string' && timeZone !== '' ? [preferenceCookie(TIME_ZONE_COOKIE, timeZone, keep)] : []),
    ];
  } catch (error) {
    log.warn('preferences of an account could not be read', { code: error instanceof Error ? error.name : 'unknown' });
    return [];
  }
}
