import type { Language } from '#app/domain/web/languages.ts';
import { createPageTexts, type PageTexts, type TextTree } from '#app/platform/i18n/page-texts.ts';
import { texts } from '#app/platform/i18n/texts.server.ts';

const known = new Map<Language, PageTexts>();

/** The texts that the server draws pages with: all of this language, the same for all requests. Nobody changes its language. */
export function pageTextsOf(language: Language): PageTexts {
  const found =
    known.get(language) ?? createPageTexts(language, () => Promise.reject(new Error('all texts are here')), texts[language] as TextTree);
  known.set(language, found);
  return found;
}
