import type { IncomingMessage } from 'node:http';
import { DENSITIES, formatAccessibility, parseAccessibility, THEMES } from '#app/domain/people/appearance.ts';
import { type Consent, consentValue, readConsent } from '#app/domain/people/consent.ts';
import { isLanguage, type Language } from '#app/domain/web/languages.ts';
import { publicPage } from '#app/domain/web/public-pages.ts';
import { cookieIn } from '#app/platform/i18n/preference-cookies.server.ts';

/** All that the bytes of a kept page depend on. Whoever asks with the same variant gets the same bytes. */
export type PageVariant = {
  key: string;
  /** Path and, where it was asked for, `?lng=`. */
  address: string;
  /** The language that the address itself names, which is kept as a choice. */
  chosenLanguage: Language | null;
  consent: Consent;
  /** The request that a cached page is drawn from: nothing personal is in it. */
  headers: Record<string, string>;
};

const QUERY = /^lng=([a-z]{2})$/;
/** A message for this visitor alone is waiting. */
const NOTICE_COOKIE = 'notice';

/**
 * The variant of a request, or null where it must not be answered from the cache: another page, another query, someone who is or was signed
 * in, or a pending message.
 */
export async function variantOf(
  request: { url: string; headers: IncomingMessage['headers'] },
  options: { sessionCookie: string; languageOf(cookie: string | null, header: string): Promise<Language> },
): Promise<PageVariant | null> {
  const { path, query } = split(request.url);
  if (publicPage(path)?.kept !== true) return null;
  const chosen = query === null ? null : (QUERY.exec(query)?.[1] ?? '');
  if (chosen !== null && !isLanguage(chosen)) return null;
  const { cookie: cookies = '', authorization, 'accept-language': accepted = '', 'sec-gpc': signal } = request.headers;
  if (authorization !== undefined || isPersonal(cookies, options.sessionCookie)) return null;

  const theme = THEMES.find((known) => known === cookieIn(cookies, 'theme')) ?? 'system';
  const density = DENSITIES.find((known) => known === cookieIn(cookies, 'density')) ?? 'comfortable';
  const accessibility = parseAccessibility(cookieIn(cookies, 'accessibility'));
  const consent = readConsent(cookieIn(cookies, 'consent'), typeof signal === 'string' ? signal : null);
  const language = chosen ?? (await options.languageOf(cookieIn(cookies, 'lng'), accepted));
  const settings = [
    `lng=${language}`,
    `theme=${theme}`,
    `density=${density}`,
    ...(accessibility === null ? [] : [`accessibility=${encodeURIComponent(formatAccessibility(accessibility))}`]),
    ...(consent.chosen ? [`consent=${encodeURIComponent(consentValue(consent))}`] : []),
  ].join('; ');
  const address = chosen === null ? path : `${path}?lng=${chosen}`;
  return {
    key: `${address} ${consent.signal} ${settings}`,
    address,
    chosenLanguage: chosen,
    consent,
    headers: { Accept: 'text/html', Cookie: settings, ...(consent.signal ? { 'Sec-GPC': '1' } : {}) },
  };
}

function split(url: string): { path: string; query: string | null } {
  const at = url.indexOf('?');
  return at === -1 ? { path: url, query: null } : { path: url.slice(0, at), query: url.slice(at + 1) };
}

/** The session's cookie comes in parts too (`name.0`), and counts even where nothing can be read from it. */
function isPersonal(cookies: string, sessionCookie: string): boolean {
  return cookies.split(';').some((part) => {
    const name = part.trim().split('=', 1)[0] ?? '';
    return name === NOTICE_COOKIE || name.startsWith(sessionCookie);
  });
}
