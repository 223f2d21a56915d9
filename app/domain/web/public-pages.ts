import { isLanguage, type Language } from '#app/domain/web/languages.ts';

export type PublicPage = {
  /** False where the answer depends on more than language and settings. */
  kept: boolean;
};

/**
 * The pages that anyone may find: the one table that the site map, the head of each page, the kept copies and the pictures of
 * `public/social` go by. A public route is a row here, or says in UNLISTED_PAGES that it is none of these; a test fails for one that does
 * neither. Title and description are those that the page itself gives its frame; after a new row, `node tests/recording/social.ts` draws
 * its picture.
 */
export const PUBLIC_PAGES: Readonly<Record<string, PublicPage>> = {
  '/': { kept: true },
  '/newsletter': { kept: true },
  '/workflows': { kept: true },
  '/compliance': { kept: true },
  '/analytics': { kept: true },
  '/pricing': { kept: true },
  '/contact': { kept: true },
  '/evidence': { kept: true },
  '/docs': { kept: true },
  '/docs/connect': { kept: true },
  '/docs/api': { kept: true },
  '/docs/self-hosting': { kept: true },
  '/docs/verify': { kept: true },
  '/docs/mocking': { kept: true },
  '/legal/imprint': { kept: true },
  '/legal/privacy': { kept: true },
  '/legal/terms': { kept: true },
  '/legal/cookies': { kept: true },
  '/accessibility': { kept: true },
  '/auth': { kept: false },
};

/** Pages outside the app area that nobody is to find by searching: they belong to one person, or carry a token. */
export const UNLISTED_PAGES: readonly string[] = [
  '/auth/confirm',
  '/auth/mail',
  '/auth/factor',
  '/auth/factor/setup',
  '/auth/elsewhere',
  '/auth/sign-out',
  '/reset-password',
  '/invitations/:token',
  '/sign-in/company',
  '/sign-in/company/link',
  '/dev/mailbox',
  '/*',
];

/** The row of a path, as it stands in an address without its query. */
export function publicPage(path: string): PublicPage | null {
  return Object.hasOwn(PUBLIC_PAGES, path) ? (PUBLIC_PAGES[path] ?? null) : null;
}

/** `?lng=` names a language of its own address; without it the page is for whoever has no preference. */
export function languageIn(search: string): Language | null {
  const named = new URLSearchParams(search).get('lng');
  return isLanguage(named) ? named : null;
}

export function publicAddress(origin: string, path: string, language: Language | null): string {
  return `${origin}${path}${language === null ? '' : `?lng=${language}`}`;
}

/** The address of a page's preview picture on other sites: 1200 × 630, PNG. */
export function socialPicture(path: string): string {
  return `/social/${path === '/' ? 'home' : path.slice(1).replaceAll('/', '-')}.png`;
}
