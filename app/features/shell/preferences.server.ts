import { type RouterContextProvider, redirect } from 'react-router';
import { takeNotice } from '#app/components/page/notice.server.ts';
import { requestIdContext, servicesContext } from '#app/contracts/request-context.ts';
import { readConsent } from '#app/domain/people/consent.ts';
import { isLanguage } from '#app/domain/web/languages.ts';
import { localPath } from '#app/domain/web/local-path.ts';
import { languageIn, publicAddress, publicPage } from '#app/domain/web/public-pages.ts';
import { SIDEBAR_COOKIE, SIDEBAR_COOKIE_SECONDS } from '#app/features/shell/sidebar-cookie.ts';
import { getLanguage } from '#app/platform/i18n/i18n.server.ts';
import { languageCookie, preferenceCookie, readCookie, readTimeZone } from '#app/platform/i18n/preference-cookies.server.ts';

/** The facts for the document itself: language, direction, zone, and the last redirect's notice. */
export function loadDocument(context: Readonly<RouterContextProvider>, { request, url }: { request: Request; url: URL }) {
  const language = getLanguage(context);
  return {
    language,
    timeZone: readTimeZone(request),
    consent: consentOf(request),
    now: new Date().toISOString(),
    flash: takeNotice(context),
    requestId: context.get(requestIdContext),
    canonical: canonicalOf(context.get(servicesContext).origin, url),
  };
}

/** The canonical address of a public page for search engines and links; null for pages that must not be found. */
function canonicalOf(origin: string, { pathname, search }: URL): string | null {
  const path = pathname === '/' ? pathname : pathname.replace(/\/+$/, '');
  return publicPage(path) === null ? null : publicAddress(origin, path, languageIn(search));
}

/** The visitor's decision about their data, including their browser's own signal. */
export function consentOf(request: Request) {
  return readConsent(readCookie(request, 'consent'), request.headers.get('Sec-GPC'));
}

export function sidebarCollapsed(request: Request): boolean {
  return readCookie(request, SIDEBAR_COOKIE) === 'collapsed';
}

/** Keeps the chosen language and goes back. An unknown language changes nothing. */
export async function chooseLanguage(request: Request): Promise<Response> {
  const form = await request.formData();
  const language = form.get('language');
  return goBack(form, isLanguage(language) ? languageCookie(language, keepFor(request)) : null);
}

export async function chooseSidebar(request: Request): Promise<Response> {
  const form = await request.formData();
  const state = form.get('state') === 'collapsed' ? 'collapsed' : 'expanded';
  return goBack(form, preferenceCookie(SIDEBAR_COOKIE, state, consentOf(request).gdpr ? 'visit' : SIDEBAR_COOKIE_SECONDS));
}

/** With 'only what is necessary', choices end with the visit. */
function keepFor(request: Request): 'year' | 'visit' {
  return consentOf(request).gdpr ? 'visit' : 'year';
}

/** A browser that no longer runs scripts: pages wait again for what a script would put in its place. */
export async function forgetScripts(request: Request): Promise<Response> {
  return goBack(await request.formData(), preferenceCookie('tz', '', 0));
}

function goBack(form: FormData, cookie: string | null): Response {
  const next = withoutLanguage(localPath(form.get('next'), '/'));
  return redirect(next, { status: 303, headers: cookie ? { 'Set-Cookie': cookie } : {} });
}

/** `?lng` in the address would win over the choice just made. */
function withoutLanguage(path: string): string {
  const url = new URL(path, 'https://quorate.invalid');
  url.searchParams.delete('lng');
  return `${url.pathname}${url.search}${url.hash}`;
}
