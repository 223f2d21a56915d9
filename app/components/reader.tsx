import { createContext, type ReactNode, useContext, useMemo } from 'react';
import type { Language } from '#app/domain/languages.ts';

/** Who reads: language, time zone (IANA name) and the moment the page was made (ISO 8601, UTC). */
export type Reader = { language: Language; timeZone: string; now: string };

const ReaderContext = createContext<Reader>({ language: 'en', timeZone: 'UTC', now: new Date(0).toISOString() });

export function ReaderProvider({ reader, children }: { reader: Reader; children: ReactNode }) {
  return <ReaderContext value={reader}>{children}</ReaderContext>;
}

export function useReader(): Reader {
  return useContext(ReaderContext);
}

type RelativeUnit = 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year';
const STEPS: readonly { unit: RelativeUnit; seconds: number; below: number }[] = [
  { unit: 'second', seconds: 1, below: 60 },
  { unit: 'minute', seconds: 60, below: 3_600 },
  { unit: 'hour', seconds: 3_600, below: 86_400 },
  { unit: 'day', seconds: 86_400, below: 2_592_000 },
  { unit: 'month', seconds: 2_592_000, below: 31_536_000 },
  { unit: 'year', seconds: 31_536_000, below: Number.POSITIVE_INFINITY },
];

export type Formats = {
  /** 20 Nov 2026, 10:17:05 UTC: the exact moment, with its zone. */
  exactTime(iso: string): string;
  date(iso: string): string;
  /** '5 minutes ago', measured from when the page was made, so that server and browser say the same. */
  relativeTime(iso: string): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  percent(ratio: number): string;
  /** Millionths of a US dollar. What is less than a cent keeps the digits that say how much. */
  money(micros: number): string;
  /** A span of time, in the two largest units that matter: '1 min 4 s', '320 ms'. */
  duration(milliseconds: number): string;
  list(items: readonly string[]): string;
};

/** Formats of the reader's language and zone. The same on the server and in the browser. */
export function makeFormats({ language, timeZone, now }: Reader): Formats {
  const unit = (value: number, name: string) =>
    new Intl.NumberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: name === 'second' ? 1 : 0,
    }).format(value);
  return {
    exactTime: (iso) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(new Date(iso)),
    date: (iso) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(iso)),
    relativeTime: (iso) => {
      const seconds = Math.round((Date.parse(iso) - Date.parse(now)) / 1_000);
      const step = STEPS.find((candidate) => Math.abs(seconds) < candidate.below) ?? { unit: 'second' as const, seconds: 1 };
      return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.trunc(seconds / step.seconds), step.unit);
    },
    number: (value, options) => new Intl.NumberFormat(language, options).format(value),
    percent: (ratio) => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(ratio),
    money: (micros) => {
      const size = Math.abs(micros);
      const text = new Intl.NumberFormat(language, {
        style: 'currency',
        currency: 'USD',
        minimumFractionDigits: 2,
        maximumFractionDigits: size >= 1_000_000 ? 2 : size >= 10_000 ? 4 : 6,
      }).format(micros / 1_000_000);
      // A dollar sign at the end of a line from right to left would change sides with its letters.
      return text.startsWith('\u200F') ? text.replace('US$', 'US$\u200E') : text;
    },
    duration: (milliseconds) => {
      if (milliseconds < 1_000) return unit(Math.round(milliseconds), 'millisecond');
      const seconds = milliseconds / 1_000;
      if (seconds < 60) return unit(seconds, 'second');
      const minutes = Math.floor(seconds / 60);
      if (minutes < 60) return [unit(minutes, 'minute'), unit(Math.floor(seconds % 60), 'second')].join(' ');
      return [unit(Math.floor(minutes / 60), 'hour'), unit(minutes % 60, 'minute')].join(' ');
    },
    list: (items) => new Intl.ListFormat(language, { type: 'conjunction' }).format(items),
  };
}

export function useFormats(): Formats {
  const reader = useReader();
  return useMemo(() => makeFormats(reader), [reader]);
}
