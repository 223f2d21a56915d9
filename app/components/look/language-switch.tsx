import { createContext, type ReactNode, useCallback, useContext, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useRevalidator } from 'react-router';
import { browserLanguage, keepLanguage, keptLanguage } from '#app/components/look/language-storage.ts';
import { directionOf, LANGUAGE_LOADING, type Language } from '#app/domain/web/languages.ts';

/** Changes the language in place: texts are fetched, the page is asked for again, and what was typed in it stays. */
const LanguageSwitchContext = createContext<((language: Language) => Promise<void>) | null>(null);

/** Null where the page cannot change in place: then the form posts as it does without scripts. */
export function useLanguageSwitch() {
  return useContext(LanguageSwitchContext);
}

/**
 * Keeps the browser's texts in the language of the page that the server made, and the two stores of the choice alike.
 * `language`: what the root loader says. `forVisit`: the person wants choices forgotten with the visit.
 */
export function LanguageSwitchProvider({ language, forVisit, children }: { language: Language; forVisit: boolean; children: ReactNode }) {
  const { i18n } = useTranslation();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [loading, setLoading] = useState<Language | null>(null);

  const fetchTexts = useCallback(
    async (wanted: Language): Promise<boolean> => {
      if (i18n.hasResourceBundle(wanted, 'common')) return true;
      setLoading(wanted);
      await i18n.loadLanguages(wanted);
      setLoading(null);
      return i18n.hasResourceBundle(wanted, 'common');
    },
    [i18n],
  );

  const change = useCallback(
    async (wanted: Language) => {
      const here = new URL(window.location.href);
      if (!(await fetchTexts(wanted))) {
        here.searchParams.set('lng', wanted);
        window.location.assign(here);
        return;
      }
      keepLanguage(wanted, forVisit);
      if (!here.searchParams.has('lng')) return revalidate();
      // In the address it would win over the choice just made.
      here.searchParams.delete('lng');
      await navigate(`${here.pathname}${here.search}${here.hash}`, { replace: true, preventScrollReset: true });
    },
    [fetchTexts, forVisit, navigate, revalidate],
  );

  useLayoutEffect(() => {
    if (i18n.language === language) return;
    void fetchTexts(language).then(() => i18n.changeLanguage(language));
  }, [language, i18n, fetchTexts]);

  const settle = useEffectEvent((shown: Language) => {
    // A choice made on the server (or in the address, which the server has stored) is final here.
    const found = keptLanguage() === null ? browserLanguage(shown) : shown;
    if (found === shown) keepLanguage(shown, forVisit);
    else void change(found);
  });
  useEffect(() => settle(language), [language]);

  return (
    <LanguageSwitchContext value={change}>
      <div role="status" className="pointer-events-none fixed inset-x-0 top-3 z-50 flex justify-center print:hidden">
        {loading === null ? null : (
          <p
            lang={loading}
            dir={directionOf(loading)}
            className="rounded-full border border-edge bg-surface px-4 py-2 text-sm font-semibold shadow-float"
          >
            {LANGUAGE_LOADING[loading]}
          </p>
        )}
      </div>
      {children}
    </LanguageSwitchContext>
  );
}
