import { FALLBACK_LANGUAGE, type Language } from '#app/domain/languages.ts';
import { SHIPPED_WORD_KEYS, TEMPLATE_WORDS } from '#app/domain/template-words.ts';
import { WORKFLOW_TEMPLATES } from '#app/domain/workflow-templates.ts';
import { translatorFor } from '#app/platform/i18n/i18n.server.ts';

const known = new Map<Language, ReadonlyMap<string, string>>();

/** The texts of the workflows, samples and policies that Quorate ships, by their English, in this language. Empty for English. */
export function shippedTexts(language: Language): ReadonlyMap<string, string> {
  const found = known.get(language) ?? new Map(language === FALLBACK_LANGUAGE ? [] : pairsOf(language));
  known.set(language, found);
  return found;
}

function pairsOf(language: Language): [string, string][] {
  const english = translatorFor(FALLBACK_LANGUAGE, 'workflows');
  const own = translatorFor(language, 'workflows');
  // A search takes the first that holds its words: names before sentences.
  const keys = [
    ...WORKFLOW_TEMPLATES.map(({ id }) => `templates.${id}.title` as const),
    ...[...Object.values(TEMPLATE_WORDS), ...SHIPPED_WORD_KEYS].map((word) => `templates.words.${word}` as const),
    ...WORKFLOW_TEMPLATES.map(({ id }) => `templates.${id}.description` as const),
  ];
  const workspace = 'demoWorkspace';
  return [
    ...keys.map((key): [string, string] => [english(key), own(key)]),
    [translatorFor(FALLBACK_LANGUAGE, 'common')(workspace), translatorFor(language, 'common')(workspace)],
  ];
}
