import { instantsOf, type Offset, offsetsOf } from '#app/domain/workflows/time-zone.ts';

/** Cron expressions of five fields (POSIX crontab, with names, ranges, lists and steps) in a time zone. */
export type Cron = {
  minutes: ReadonlySet<number>;
  hours: ReadonlySet<number>;
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** Whether the day of the month, and that of the week, are restricted: with both, either is enough (POSIX). */
  byDay: boolean;
  byWeekday: boolean;
};

export const CRON_MAX_LENGTH = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** 29 February on a given weekday comes at least once in so many days (1900 and 2100 are no leap years). */
const SEARCHED_DAYS = 366 * 41;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** Reads an expression; null when it is none. */
export function parseCron(text: string): Cron | null {
  if (text.length > CRON_MAX_LENGTH) return null;
  const parts = text.trim().toLowerCase().split(/\s+/);
  if (parts.length !== 5) return null;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts;
  const minutes = parseField(minute, 0, 59);
  const hours = parseField(hour, 0, 23);
  const days = parseField(day, 1, 31);
  const months = parseField(month, 1, 12, MONTHS, 1);
  const weekdays = parseField(weekday, 0, 7, WEEKDAYS, 0);
  if (minutes === null || hours === null || days === null || months === null || weekdays === null) return null;
  // 7 is Sunday too
  if (weekdays.delete(7)) weekdays.add(0);
  return { minutes, hours, days, months, weekdays, byDay: !day.startsWith('*'), byWeekday: !weekday.startsWith('*') };
}

function parseField(text: string, min: number, max: number, names: readonly string[] = [], first = 0): Set<number> | null {
  const found = new Set<number>();
  for (const item of text.split(',')) {
    const [range = '', step, ...more] = item.split('/');
    if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return null;
    const [from = '', to, ...rest] = range === '*' ? [String(min), String(max)] : range.split('-');
    const low = numberOf(from, names, first);
    const high = to === undefined ? (step === undefined ? low : max) : numberOf(to, names, first);
    if (rest.length > 0 || low === null || high === null || low < min || high > max || low > high) return null;
    for (let value = low; value <= high; value += Number(step ?? 1)) found.add(value);
  }
  return found;
}

function numberOf(text: string, names: readonly string[], first: number): number | null {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const index = names.indexOf(text);
  return index < 0 ? null : index + first;
}

/**
 * The first time after `after`, or null when there is none (30 February). Where the clocks are put forward, a time that does not exist
 * comes as long after the change; where they are put back, a time that exists twice comes the first time. Only what comes every hour
 * follows the real hours.
 */
export function nextTime(cron: Cron, timeZone: string, after: Date): Date | null {
  return nextTimes(cron, timeZone, after, 1)[0] ?? null;
}

/** The next `count` times after `after`. */
export function nextTimes(cron: Cron, timeZone: string, after: Date, count: number): Date[] {
  const offset = offsetsOf(timeZone);
  const times: Date[] = [];
  for (let last = after.getTime(); times.length < count; ) {
    const next = nextInstant(cron, last, offset);
    if (next === null) break;
    times.push(new Date(next));
    last = next;
  }
  return times;
}

function nextInstant(cron: Cron, after: number, offset: Offset): number | null {
  const local = after + offset(after);
  // a day earlier: the clocks may have been put back over midnight
  const firstDay = Math.floor(local / DAY_MS) * DAY_MS - DAY_MS;
  for (let number = 0; number < SEARCHED_DAYS; number += 1) {
    const day = firstDay + number * DAY_MS;
    if (!isOnDay(cron, new Date(day))) continue;
    const found = firstOnDay(cron, day, after, offset);
    if (found !== null) return found;
  }
  return null;
}

function isOnDay(cron: Cron, day: Date): boolean {
  if (!cron.months.has(day.getUTCMonth() + 1)) return false;
  const ofMonth = cron.days.has(day.getUTCDate());
  const ofWeek = cron.weekdays.has(day.getUTCDay());
  return cron.byDay && cron.byWeekday ? ofMonth || ofWeek : ofMonth && ofWeek;
}

function firstOnDay(cron: Cron, day: number, after: number, offset: Offset): number | null {
  // every offset of the earth lies within a day of UTC
  const before = offset(day - DAY_MS);
  const behind = offset(day + 2 * DAY_MS);
  if (before === behind && after >= day + DAY_MS - before) return null;
  let found: number | null = null;
  for (const hour of cron.hours) {
    for (const minute of cron.minutes) {
      const local = day + hour * HOUR_MS + minute * MINUTE_MS;
      for (const instant of instantsOf(local, before, behind, cron.hours.size === 24, offset))
        if (instant > after && (found === null || instant < found)) found = instant;
    }
  }
  return found;
}
