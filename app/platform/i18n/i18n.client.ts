import i18next, { type BackendModule, type ResourceLanguage } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { FALLBACK_LANGUAGE, isLanguage } from '#app/domain/languages.ts';
import { SHARED_NAMESPACES } from '#app/platform/i18n/namespaces.ts';

// One small file a language and namespace, so that a page fetches its own texts and no others.
const files = import.meta.glob<ResourceLanguage>('/locales/*/*.json', { import: 'default' });

const backend: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, done) {
    const load = files[`/locales/${language}/${namespace}.json`] ?? files[`/locales/${FALLBACK_LANGUAGE}/${namespace}.json`];
    if (!load) {
      done(null, {});
      return;
    }
    load().then(
      (texts) => done(null, texts),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), null),
    );
  },
};

type RouteModuleWithHandle = { handle?: { i18n?: readonly string[] } };

/** The namespaces that the routes of this page name in `handle.i18n`, so that nothing suspends while it hydrates. */
function namespacesOfPage(): string[] {
  const modules: Record<string, RouteModuleWithHandle> = window.__reactRouterRouteModules ?? {};
  const named = Object.values(modules).flatMap((module) => module.handle?.i18n ?? []);
  return [...new Set([...SHARED_NAMESPACES, ...named])];
}

/** Starts i18next in the language the server chose for the page. */
export async function startClientI18n() {
  const asked = document.documentElement.lang;
  const language = isLanguage(asked) ? asked : FALLBACK_LANGUAGE;
  // English texts need English plurals, as on the server; a language of its own is whole and needs no second file.
  const translated = `/locales/${language}/common.json` in files;
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: translated ? false : FALLBACK_LANGUAGE,
      ns: namespacesOfPage(),
      defaultNS: 'common',
      interpolation: { escapeValue: false },
    });
  return i18next;
}

declare global {
  interface Window {
    __reactRouterRouteModules?: Record<string, RouteModuleWithHandle>;
  }
}
