export const WINDOW_NAMES = ['24h', '7d', '30d', '90d'] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LENGTHS: Record<WindowName, number> = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, '90d': 90 * DAY_MS };
/** Longer stretches are read in parts: a screen shall not read a log of years. */
const MOST_DAYS = 366;
/** Up to here a drawing has a point an hour. */
const HOURLY_UP_TO_MS = 2 * DAY_MS;

/** A stretch of time, `from` included and `until` not, and the one of equal length before it. Days are UTC. */
export type TimeWindow = {
  /** Null: own dates. */
  name: WindowName | null;
  from: Date;
  until: Date;
  before: Date;
  hours: number;
  unit: 'hour' | 'day';
};
/** The dates as typed, for the form. */
export type WindowChoice = { window: WindowName | 'own'; from: string; until: string };

/** Reads `?window=`, or `?from=` and `?until=` (both days included). What cannot be used is given back, and the default applies. */
export function readWindow(
  params: URLSearchParams,
  now: Date,
  fallback: WindowName,
): { window: TimeWindow; choice: WindowChoice; valid: boolean } {
  const wanted = params.get('window') ?? '';
  const [from, until] = [params.get('from')?.trim().slice(0, 40) ?? '', params.get('until')?.trim().slice(0, 40) ?? ''];
  const known = WINDOW_NAMES.find((name) => name === wanted);
  if (known !== undefined || (from === '' && until === '')) {
    const name = known ?? fallback;
    return {
      window: windowOf(name, now),
      choice: { window: name, from: '', until: '' },
      valid: known !== undefined || wanted === '' || wanted === 'own',
    };
  }
  const choice: WindowChoice = { window: 'own', from, until };
  const own = ownWindow(from, until, now);
  return own === null ? { window: windowOf(fallback, now), choice, valid: false } : { window: own, choice, valid: true };
}

export function windowOf(name: WindowName, now: Date): TimeWindow {
  return between(name, now.getTime() - LENGTHS[name], now.getTime());
}

function ownWindow(from: string, until: string, now: Date): TimeWindow | null {
  const last = until === '' ? now.toISOString().slice(0, 10) : until;
  if (!isDay(from) || !isDay(last)) return null;
  const [start, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`) + DAY_MS];
  return end <= start || end - start > MOST_DAYS * DAY_MS ? null : between(null, start, end);
}

/** Whether this is a day that there is, as `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // The 31st of a shorter month is read as a day of the next.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function between(name: WindowName | null, from: number, until: number): TimeWindow {
  const length = until - from;
  return {
    name,
    from: new Date(from),
    until: new Date(until),
    before: new Date(from - length),
    hours: length / HOUR_MS,
    unit: length <= HOURLY_UP_TO_MS ? 'hour' : 'day',
  };
}

/** The query of an address that keeps this choice. */
export function windowQuery(choice: WindowChoice): Record<string, string> {
  return choice.window === 'own' ? { from: choice.from, until: choice.until } : { window: choice.window };
}

/** Starts of the hours or days of a window, in order, ISO 8601: what a series without gaps stands on. */
export function bucketsOf(window: Pick<TimeWindow, 'from' | 'until' | 'unit'>): string[] {
  const step = window.unit === 'hour' ? HOUR_MS : DAY_MS;
  const starts: string[] = [];
  for (let at = Math.floor(window.from.getTime() / step) * step; at < window.until.getTime(); at += step)
    starts.push(new Date(at).toISOString());
  return starts;
}
