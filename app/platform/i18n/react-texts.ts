import { createContext, createElement, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react';
import type { PageTexts } from '#app/platform/i18n/page-texts.ts';

// The two names of 'react-i18next' that components use (vite.config.ts, decisions 6 and 7).

const TextsContext = createContext<PageTexts | null>(null);

export function I18nextProvider({ i18n, children }: { i18n: PageTexts; children: ReactNode }) {
  return createElement(TextsContext, { value: i18n }, children);
}

/** Suspends until the texts of these namespaces are there; in a navigation the page before stays meanwhile. */
export function useTranslation(namespaces: string | readonly string[] = 'common') {
  const texts = useContext(TextsContext);
  if (texts === null) throw new Error('useTranslation stands in I18nextProvider');
  const language = useSyncExternalStore(
    texts.subscribe,
    () => texts.language,
    () => texts.language,
  );
  const wanted = typeof namespaces === 'string' ? [namespaces] : namespaces;
  // Thrown and not given to `use`: React 19.3 continues after that one in the middle of a component and may lose count of its hooks (its
  // error 467).
  if (!texts.isLoaded(wanted)) throw texts.load(wanted);
  const t = texts.translatorOf(wanted[0] ?? 'common');
  // A new object with each language, so that values computed from it are computed again.
  const i18n: PageTexts = useMemo(() => Object.create(texts, { language: { value: language } }), [texts, language]);
  return { t, i18n };
}
