/** The languages of the interface, and how each is written. English is the fallback. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'ar', 'he'] as const;
export type Language = (typeof LANGUAGES)[number];

export const FALLBACK_LANGUAGE: Language = 'en';

/** Each language's own name, which is the same in every translation. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  ar: 'العربية',
  he: 'עברית',
};

/** Shown while the texts of a language are loading: in that language, so it cannot be one of them. */
export const LANGUAGE_LOADING: Record<Language, string> = {
  en: 'Loading translations...',
  es: 'Cargando traducciones...',
  fr: 'Chargement des traductions...',
  de: 'Übersetzungen werden geladen...',
  ar: 'جارٍ تحميل الترجمات...',
  he: 'התרגומים נטענים...',
};

/** The language that a tag names: `de-AT` is German, and `iw` is Hebrew by its code of before 1989, which Java and old phones still send. */
export function languageOfTag(tag: string | null | undefined): Language | null {
  const code = tag?.split('-')[0]?.toLowerCase();
  const language = code === 'iw' ? 'he' : code;
  return isLanguage(language) ? language : null;
}

export function isLanguage(value: unknown): value is Language {
  return (LANGUAGES as readonly unknown[]).includes(value);
}

/** 'rtl' for Arabic and Hebrew. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' || language === 'he' ? 'rtl' : 'ltr';
}
