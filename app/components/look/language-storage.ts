import { keepPreference, YEAR_SECONDS } from '#app/components/look/preference-cookie.ts';
import { isLanguage, type Language, languageOfTag } from '#app/domain/web/languages.ts';

/** The two stores of the choice: the cookie that the server reads, and local storage. */
const COOKIE = 'lng';
const KEY = 'i18nextLng';

/** The choice in the cookie; null where none was made on the server yet. */
export function keptLanguage(cookies: string = document.cookie): Language | null {
  const value = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;]*)`).exec(cookies)?.[1];
  return isLanguage(value) ? value : null;
}

/** Writes the choice to both. A cookie that has it stays as it is: the server may have limited it to this visit since this page was made. */
export function keepLanguage(language: Language, forVisit: boolean): void {
  if (keptLanguage() !== language) keepPreference(COOKIE, language, forVisit ? null : YEAR_SECONDS);
  try {
    if (forVisit) window.localStorage.removeItem(KEY);
    else window.localStorage.setItem(KEY, language);
  } catch {
    // A browser may forbid the storage altogether: the cookie is enough.
  }
}

/** Local storage first, then the browser's languages, then the page's own. */
export function browserLanguage(page: Language): Language {
  let stored: string | null = null;
  try {
    stored = window.localStorage.getItem(KEY);
  } catch {
    // Forbidden: then nothing is stored.
  }
  return firstLanguage([stored, ...navigator.languages]) ?? page;
}

/** The first of these tags whose language the product has: `de-AT` is `de`. */
export function firstLanguage(tags: readonly (string | null)[]): Language | null {
  for (const tag of tags) {
    const language = languageOfTag(tag);
    if (language !== null) return language;
  }
  return null;
}
