import { createContext, type MiddlewareFunction, type RouterContextProvider } from 'react-router';
import { authContext, clientContext } from '#app/contracts/request-context.ts';
import {
  type Appearance,
  DEFAULT_ACCESSIBILITY,
  DENSITIES,
  formatAccessibility,
  parseAccessibility,
  THEMES,
} from '#app/domain/people/appearance.ts';
import { readConsent } from '#app/domain/people/consent.ts';
import { keepForAccount, loadFromAccount } from '#app/features/appearance/account-appearance.server.ts';
import { preferenceCookie, readCookie } from '#app/platform/i18n/preference-cookies.server.ts';

const NAMES = ['theme', 'density', 'accessibility'] as const;
/** The session whose account this browser's cookies come from. */
const OWNER_COOKIE = 'appearance_of';

const appearanceContext = createContext<Appearance>();

/** The settings in this browser's cookies, with defaults for the rest. */
export function readAppearance(request: Request): Appearance {
  const [theme, density, accessibility] = NAMES.map((name) => readCookie(request, name));
  return {
    theme: THEMES.find((known) => known === theme) ?? 'system',
    density: DENSITIES.find((known) => known === density) ?? 'comfortable',
    accessibility: parseAccessibility(accessibility ?? null) ?? DEFAULT_ACCESSIBILITY,
  };
}

/** With 'only what is necessary', choices end with the visit. */
export function appearanceCookies(request: Request, { theme, density, accessibility }: Partial<Appearance>): string[] {
  const keep = readConsent(readCookie(request, 'consent'), null).gdpr ? 'visit' : 'year';
  return [
    ...(theme === undefined ? [] : [preferenceCookie('theme', theme, keep)]),
    ...(density === undefined ? [] : [preferenceCookie('density', density, keep)]),
    ...(accessibility === undefined ? [] : [preferenceCookie('accessibility', formatAccessibility(accessibility), keep)]),
  ];
}

/**
 * Root middleware: finds out how the page is to look before its first byte. The first page of each session takes what the
 * account has kept, so that a choice follows its owner to another browser; an account without one takes this browser's.
 */
export const appearanceMiddleware: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const { user } = context.get(authContext);
  const inBrowser = readAppearance(request);
  const arriving = user !== null && request.method === 'GET' && readCookie(request, OWNER_COOKIE) !== user.sessionId;
  if (!arriving) {
    context.set(appearanceContext, inBrowser);
    return next();
  }
  const kept = await loadFromAccount(context, user);
  const chosen = NAMES.some((name) => readCookie(request, name) !== null);
  if (kept === null && chosen) await keepForAccount(context, user, inBrowser, inBrowser);
  context.set(appearanceContext, kept ?? inBrowser);
  const response = await next();
  if (kept !== null) for (const cookie of appearanceCookies(request, kept)) response.headers.append('Set-Cookie', cookie);
  const secure = context.get(clientContext).secure ? '; Secure' : '';
  response.headers.append('Set-Cookie', `${OWNER_COOKIE}=${user.sessionId}; Path=/; HttpOnly; SameSite=Lax${secure}`);
  return response;
};

/** The look of this page. Only behind `appearanceMiddleware`. */
export function loadAppearance(context: Readonly<RouterContextProvider>): Appearance {
  return context.get(appearanceContext);
}
