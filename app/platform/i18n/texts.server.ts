import type { Resource, ResourceLanguage } from 'i18next';
import { FALLBACK_LANGUAGE, LANGUAGES } from '#app/domain/languages.ts';
import { NAMESPACES } from '#app/platform/i18n/namespaces.ts';

const files = import.meta.glob<ResourceLanguage>('/locales/*/*.json', { eager: true, import: 'default' });

/** All texts of all languages; a language without a file of its own gives the English one. */
export const texts: Resource = Object.fromEntries(
  LANGUAGES.map((language) => [
    language,
    Object.fromEntries(
      NAMESPACES.map((namespace) => [
        namespace,
        files[`/locales/${language}/${namespace}.json`] ?? files[`/locales/${FALLBACK_LANGUAGE}/${namespace}.json`] ?? {},
      ]),
    ),
  ]),
);
