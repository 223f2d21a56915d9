import { readFileSync } from 'node:fs';
import type { Resource, ResourceLanguage } from 'i18next';
import { LANGUAGES, type Language } from '#app/domain/web/languages.ts';
import { NAMESPACES, type Namespace } from '#app/platform/i18n/namespaces.ts';

/** In development the modules themselves, so that a text that is changed shows; a build drops them. */
const inDevelopment: Record<string, ResourceLanguage> | null = import.meta.env.DEV
  ? import.meta.glob<ResourceLanguage>('/locales/*/*.json', { eager: true, import: 'default' })
  : null;

/** The built files are those that browsers get (vite.config.ts). */
function readTexts(language: Language, namespace: Namespace): ResourceLanguage {
  if (inDevelopment !== null) return inDevelopment[`/locales/${language}/${namespace}.json`] ?? {};
  return JSON.parse(readFileSync(new URL(`../client/assets/texts/${language}/${namespace}.json`, import.meta.url), 'utf8'));
}

/** All texts of all languages. A language is read when someone first reads it: all six would cost 8 MB for as long as the server runs. */
export const texts: Resource = {};
for (const language of LANGUAGES) {
  let read: Resource[string] | undefined;
  Object.defineProperty(texts, language, {
    enumerable: true,
    get() {
      read ??= Object.fromEntries(NAMESPACES.map((namespace) => [namespace, readTexts(language, namespace)]));
      return read;
    },
  });
}
