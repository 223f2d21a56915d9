import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { type Formats, type Locale, makeFormats } from '#app/domain/web/formats.ts';

const LocaleContext = createContext<Locale>({ language: 'en', timeZone: 'UTC', now: new Date(0).toISOString() });

export function LocaleProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  const { language, timeZone, now } = locale;
  // Keeps its identity while its values stay: a new one redraws every time and number.
  const value = useMemo(() => ({ language, timeZone, now }), [language, timeZone, now]);
  return <LocaleContext value={value}>{children}</LocaleContext>;
}

export function useLocale(): Locale {
  return useContext(LocaleContext);
}

export function useFormats(): Formats {
  const reader = useLocale();
  return useMemo(() => makeFormats(reader), [reader]);
}
