import { FALLBACK_LANGUAGE, isLanguage } from '#app/domain/web/languages.ts';
import { SHARED_NAMESPACES } from '#app/platform/i18n/namespaces.ts';
import { createPageTexts, type TextTree } from '#app/platform/i18n/page-texts.ts';

type RouteModuleWithHandle = { handle?: { i18n?: readonly string[] } };

/** The namespaces that the routes of this page name in `handle.i18n`, so that nothing suspends while it hydrates. */
function namespacesOfPage(): string[] {
  const modules: Record<string, RouteModuleWithHandle> = window.__reactRouterRouteModules ?? {};
  const named = Object.values(modules).flatMap((module) => module.handle?.i18n ?? []);
  return [...new Set([...SHARED_NAMESPACES, ...named])];
}

/** The texts of all these namespaces in one file, so that a page fetches its own texts and no others by one request. */
async function fetchTexts(language: string, namespaces: readonly string[]): Promise<TextTree> {
  // The build puts them there (vite.config.ts); in development they are read where they are written.
  if (import.meta.env.DEV) {
    const read = async (name: string) => [name, await fetchTree(`/locales/${language}/${name}.json`)] as const;
    return Object.fromEntries(await Promise.all(namespaces.map(read)));
  }
  // In one order, so that pages of the same namespaces share the file.
  const names = namespaces.toSorted();
  const tree = await fetchTree(`/assets/texts/${language}/${names.join('+')}.json?v=${TEXTS_VERSION}`);
  return names.length === 1 ? { [names.join()]: tree } : tree;
}

async function fetchTree(address: string): Promise<TextTree> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response.json();
}

/**
 * The texts of this page in the language that the server chose for it. Rejects where they do not come: the page then stays as the server
 * sent it, which works without scripts.
 */
export async function startPageTexts() {
  const asked = document.documentElement.lang;
  const texts = createPageTexts(isLanguage(asked) ? asked : FALLBACK_LANGUAGE, fetchTexts);
  await texts.load(namespacesOfPage());
  return texts;
}

declare global {
  interface Window {
    __reactRouterRouteModules?: Record<string, RouteModuleWithHandle>;
  }
  /** A digest of all texts, which is in their addresses: they are kept for good. */
  const TEXTS_VERSION: string;
}
