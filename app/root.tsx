import { lazy, type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { isRouteErrorResponse, Links, Meta, Outlet, ScrollRestoration, useLocation, useRouteLoaderData } from 'react-router';
import appStyles from '#app/app.css?url';
import { useEarlyJumpsOver } from '#app/components/live/early-jumps.ts';
import { KeptAnswers } from '#app/components/live/router-edges.tsx';
import { AccessibilityProvider, useAccessibilityState } from '#app/components/look/accessibility-provider.tsx';
import { LanguageSwitchProvider } from '#app/components/look/language-switch.tsx';
import { LooksProvider, useLooksState } from '#app/components/look/looks-provider.tsx';
import { keepPreference, YEAR_SECONDS } from '#app/components/look/preference-cookie.ts';
import { ErrorBody, ErrorPage } from '#app/components/page/error-page.tsx';
import { FlashProvider } from '#app/components/page/flash-notice.tsx';
import { FontPreload } from '#app/components/page/font-preload.tsx';
import { frameFor } from '#app/components/page/last-frame.ts';
import { LateScripts } from '#app/components/page/late-scripts.tsx';
import { NavigationProgress } from '#app/components/page/navigation-progress.tsx';
import { noticeMiddleware } from '#app/components/page/notice.server.ts';
import { answerFailures } from '#app/components/page/problem.server.ts';
import { RouteFocus } from '#app/components/page/route-focus.tsx';
import { LocaleProvider } from '#app/components/text/locale-context.tsx';
import { ToastProvider } from '#app/components/toast/toast-provider.tsx';
import { CopyListener } from '#app/components/value/copy/copy-listener.tsx';
import { DEFAULT_APPEARANCE } from '#app/domain/people/appearance.ts';
import { directionOf, FALLBACK_LANGUAGE, isLanguage } from '#app/domain/web/languages.ts';
import { isPreservedForm } from '#app/domain/web/preserved-form.ts';
import { appearanceMiddleware, loadAppearance } from '#app/features/appearance/appearance.server.ts';
import { EnhancedAuthProvider } from '#app/features/auth/browser/enhanced-auth-provider.tsx';
import { authMiddleware } from '#app/features/auth/session/auth-middleware.server.ts';
import { loadSession } from '#app/features/auth/session/load-session.server.ts';
import { loadDocument } from '#app/features/shell/preferences.server.ts';
import { languageMiddleware } from '#app/platform/i18n/i18n.server.ts';
import publicStyles from '#app/public.css?url';
import type { Route } from './+types/root';

// Rarely seen, so no page loads it in advance.
const PreservedFormPage = lazy(async () => ({
  default: (await import('#app/features/auth/session/preserved-form-page.tsx')).PreservedFormPage,
}));

export const handle = { i18n: ['common'] };

export const middleware: Route.MiddlewareFunction[] = [
  answerFailures,
  ...languageMiddleware,
  authMiddleware,
  appearanceMiddleware,
  noticeMiddleware,
];

export async function loader({ context, request, url }: Route.LoaderArgs) {
  return { ...loadDocument(context, { request, url }), appearance: loadAppearance(context), auth: await loadSession(context, request) };
}

/** The document. It is also drawn around the error page, when nothing of the root has been loaded. */
export function Layout({ children }: { children: React.ReactNode }) {
  const page = useRouteLoaderData<typeof loader>('root') ?? whole;
  const { i18n } = useTranslation();
  // Where an error left nothing of the root's data, the texts are still in the reader's language.
  const language = page?.language ?? (isLanguage(i18n.language) ? i18n.language : FALLBACK_LANGUAGE);
  const looks = useLooksState(page?.appearance ?? DEFAULT_APPEARANCE, page?.consent.gdpr === true);
  const accessibility = useAccessibilityState(page?.appearance.accessibility, page?.consent.gdpr === true);
  useReportedTimeZone(page?.consent.gdpr === false);
  useEarlyJumpsOver();
  const { pathname } = useLocation();
  return (
    <html
      lang={language}
      dir={directionOf(language)}
      data-theme={looks.theme}
      data-density={looks.density}
      className={accessibility.className}
    >
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {/* React moves elements with a precedence to the front of all fetched resources. */}
        <link rel="stylesheet" href={styleSheetFor(pathname)} precedence="first" />
        {/* Style sheets come from ourselves and need no nonce; one here would differ between server and browser. */}
        <Links nonce="" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="icon" href="/icon-32.png" sizes="32x32" type="image/png" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/site.webmanifest" />
        <FontPreload language={language} code={pathname === '/'} />
        {page?.canonical ? <link rel="canonical" href={page.canonical} /> : null}
        <Meta />
      </head>
      <body>
        <LocaleProvider locale={{ language, timeZone: page?.timeZone ?? 'UTC', now: page?.now ?? '1970-01-01T00:00:00.000Z' }}>
          <AccessibilityProvider state={accessibility}>
            <LooksProvider looks={looks}>
              <FlashProvider flash={page?.flash ?? null}>{children}</FlashProvider>
            </LooksProvider>
          </AccessibilityProvider>
        </LocaleProvider>
        <ScrollRestoration />
        <LateScripts />
      </body>
    </html>
  );
}

let hasAppStyles = false;

/**
 * A page outside the app area waits for a third of the rules. Once a browser has those of the app area it keeps them everywhere: they hold
 * all of the others, and a second sheet after them would change their order.
 */
function styleSheetFor(pathname: string): string {
  if (!isPublicPage(pathname)) hasAppStyles ||= typeof document !== 'undefined';
  return hasAppStyles || !isPublicPage(pathname) ? appStyles : publicStyles;
}

const isPublicPage = (pathname: string) => !/^\/(?:dashboard|dev)(?:\/|$)/.test(pathname);

/** The data of this browser's last complete page: a failed request loses it, and with it the language and the shell. */
let whole: Route.ComponentProps['loaderData'] | undefined;

export default function Root({ loaderData }: Route.ComponentProps) {
  useEffect(() => {
    whole = loaderData;
  }, [loaderData]);
  return (
    <Providers loaded={loaderData}>
      <KeptAnswers reader={loaderData.auth.user?.id ?? ''}>
        <Outlet />
      </KeptAnswers>
    </Providers>
  );
}

function Providers({ loaded, children }: { loaded: Route.ComponentProps['loaderData']; children: ReactNode }) {
  return (
    <EnhancedAuthProvider session={loaded.auth}>
      <LanguageSwitchProvider language={loaded.language} forVisit={loaded.consent.gdpr}>
        <ToastProvider>
          <NavigationProgress />
          <RouteFocus />
          <CopyListener />
          {children}
        </ToastProvider>
      </LanguageSwitchProvider>
    </EnhancedAuthProvider>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { pathname } = useLocation();
  if (isRouteErrorResponse(error) && isPreservedForm(error.data)) return <PreservedFormPage form={error.data} />;
  const frame = pathname.startsWith('/dashboard') ? frameFor(isRouteErrorResponse(error) ? error : null) : null;
  if (whole === undefined || frame === null) return <ErrorPage error={error} />;
  return <Providers loaded={whole}>{frame(<ErrorBody error={error} />)}</Providers>;
}

/** Tells the server this browser's time zone, from the next page on, if consent allows it. */
function useReportedTimeZone(allowed: boolean) {
  useEffect(() => {
    if (!allowed) return;
    // Looking up the zone makes the browser read its tables, which can wait until the page is interactive.
    const timer = setTimeout(() => {
      const { timeZone } = new Intl.DateTimeFormat('en').resolvedOptions();
      // Also where the server guessed right: the cookie tells it that scripts run, so that it need not hold back a page for the data below
      // its fold.
      if (timeZone && !document.cookie.split('; ').includes(`tz=${encodeURIComponent(timeZone)}`))
        keepPreference('tz', timeZone, YEAR_SECONDS);
    }, 200);
    return () => clearTimeout(timer);
  }, [allowed]);
}
