import type { RunIdentity } from '#app/contracts/runs.ts';
import { runName } from '#app/domain/runs/subject/subject-text.ts';
import type { Language } from '#app/domain/web/languages.ts';

/** The locale of the page: language, time zone (IANA name) and the moment the page was made (ISO 8601, UTC). */
export type Locale = { language: Language; timeZone: string; now: string };

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
  /** A day of the calendar (`2026-11-25`), which no zone moves. */
  day(date: string): string;
  /** A time of day (`09:30` or `09:30:15`), without a zone. */
  timeOfDay(time: string): string;
  /** '5 minutes ago', measured from when the page was made, so that server and browser say the same; `passed`: milliseconds since. */
  relativeTime(iso: string, passed?: number): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  percent(ratio: number): string;
  /** Millionths of a US dollar. Less than a cent keeps enough digits. */
  money(micros: number): string;
  /** A span of time, in the two largest units that matter: '1 min 4 s', '320 ms'. */
  duration(milliseconds: number): string;
  list(items: readonly string[]): string;
  /** A list without 'and': 'payee Jon Smith, amount 9,900 EUR'. */
  series(items: readonly string[]): string;
  /** A run's subject, or its workflow where it has none, and its number: 'Jon Smith · 9,900 EUR · #12'. */
  runName(run: RunIdentity & { workflow: string }): string;
};

/** Making one takes a hundred times as long as using it, and a list of 200 rows needs some four hundred. */
const made = new Map<string, unknown>();
const MADE_MAX = 500;

function kept<Format>(kind: string, language: Language, options: object, make: () => Format): Format {
  const key = `${kind} ${language} ${JSON.stringify(options)}`;
  const before = made.get(key);
  if (before !== undefined) return before as Format;
  // A server meets every time zone.
  if (made.size >= MADE_MAX) made.clear();
  const format = make();
  made.set(key, format);
  return format;
}

const numberFormat = (language: Language, options: Intl.NumberFormatOptions = {}) =>
  kept('number', language, options, () => new Intl.NumberFormat(language, options));
const timeFormat = (language: Language, options: Intl.DateTimeFormatOptions) =>
  kept('time', language, options, () => new Intl.DateTimeFormat(language, options));
const relativeFormat = (language: Language) =>
  kept('relative', language, {}, () => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));
const listFormat = (language: Language) => kept('list', language, {}, () => new Intl.ListFormat(language, { type: 'conjunction' }));
const seriesFormat = (language: Language) => kept('series', language, {}, () => new Intl.ListFormat(language, { type: 'unit' }));

/** Formats of the reader's language and zone. The same on the server and in the browser. */
export function makeFormats({ language, timeZone, now }: Locale): Formats {
  const unit = (value: number, name: string) =>
    numberFormat(language, {
      style: 'unit',
      unit: name,
      unitDisplay: 'short',
      maximumFractionDigits: name === 'second' ? 1 : 0,
    }).format(value);
  const inTwo = (large: [number, string], small: [number, string]) =>
    [large, small]
      .filter(([value]) => value > 0)
      .map(([value, name]) => unit(value, name))
      .join(' ');
  const number: Formats['number'] = (value, options) => {
    const text = numberFormat(language, options).format(value);
    // At the end of a right-to-left line a dollar sign would change sides with its letters.
    return text.startsWith('\u200F') ? text.replace('US$', 'US$\u200E') : text;
  };
  return {
    exactTime: (iso) => timeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(new Date(iso)),
    date: (iso) => timeFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(iso)),
    day: (date) => timeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date)),
    timeOfDay: (time) =>
      timeFormat(language, { timeStyle: time.length > 5 ? 'medium' : 'short', timeZone: 'UTC' }).format(new Date(`1970-01-01T${time}Z`)),
    relativeTime: (iso, passed = 0) => {
      const seconds = Math.round((Date.parse(iso) - Date.parse(now) - passed) / 1_000);
      const step = STEPS.find((candidate) => Math.abs(seconds) < candidate.below) ?? { unit: 'second' as const, seconds: 1 };
      return relativeFormat(language).format(Math.trunc(seconds / step.seconds), step.unit);
    },
    number,
    percent: (ratio) => numberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(ratio),
    money: (micros) => {
      const size = Math.abs(micros);
      const most = size >= 1_000_000 ? 2 : size >= 10_000 ? 4 : 6;
      return number(micros / 1_000_000, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: most });
    },
    duration: (milliseconds) => {
      if (milliseconds < 1_000) return unit(Math.round(milliseconds), 'millisecond');
      const seconds = milliseconds / 1_000;
      if (seconds < 60) return unit(seconds, 'second');
      const minutes = Math.floor(seconds / 60);
      if (minutes < 60) return inTwo([minutes, 'minute'], [Math.floor(seconds % 60), 'second']);
      return inTwo([Math.floor(minutes / 60), 'hour'], [minutes % 60, 'minute']);
    },
    list: (items) => listFormat(language).format(items),
    series: (items) => seriesFormat(language).format(items),
    runName: (run) => runName(run, { number }),
  };
}
