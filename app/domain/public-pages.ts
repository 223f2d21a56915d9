/**
 * The pages that anybody may find: the one table that the site map, the head of each page, the kept copies and the pictures of
 * `public/social` go by. A new public page is a row here; a test fails for a public route without one.
 */
export type PublicPage = {
  /** Name of its picture in `public/social`, made by `node tests/recording/social.ts`. */
  picture: string;
  /** Above it in the bread crumbs; null for the start page. */
  parent: string | null;
  /** False where the answer depends on more than language and settings. */
  kept: boolean;
};

export const PUBLIC_PAGES: Readonly<Record<string, PublicPage>> = {
  '/': { picture: 'home', parent: null, kept: true },
  '/newsletter': { picture: 'newsletter', parent: '/', kept: true },
  '/workflows': { picture: 'home', parent: '/', kept: true },
  '/compliance': { picture: 'home', parent: '/', kept: true },
  '/analytics': { picture: 'home', parent: '/', kept: true },
  '/pricing': { picture: 'home', parent: '/', kept: true },
  '/contact': { picture: 'home', parent: '/', kept: true },
  '/evidence': { picture: 'home', parent: '/', kept: true },
  '/docs': { picture: 'home', parent: '/', kept: true },
  '/docs/connect': { picture: 'home', parent: '/docs', kept: true },
  '/docs/api': { picture: 'home', parent: '/docs', kept: true },
  '/docs/self-hosting': { picture: 'home', parent: '/docs', kept: true },
  '/docs/verify': { picture: 'home', parent: '/docs', kept: true },
  '/legal/imprint': { picture: 'home', parent: '/', kept: true },
  '/legal/privacy': { picture: 'home', parent: '/', kept: true },
  '/legal/terms': { picture: 'home', parent: '/', kept: true },
  '/legal/cookies': { picture: 'home', parent: '/', kept: true },
  '/accessibility': { picture: 'home', parent: '/', kept: true },
  '/docs/mocking': { picture: 'docs-mocking', parent: '/docs', kept: true },
  '/auth': { picture: 'auth', parent: '/', kept: false },
};

/** The row of a path, as it stands in an address without its query. */
export function publicPage(path: string): PublicPage | null {
  return Object.hasOwn(PUBLIC_PAGES, path) ? (PUBLIC_PAGES[path] ?? null) : null;
}

/** One address a language: `?lng=` names it; without one it is the page for whoever has no preference. */
export function publicAddress(origin: string, path: string, language: string | null): string {
  return `${origin}${path}${language === null ? '' : `?lng=${language}`}`;
}
