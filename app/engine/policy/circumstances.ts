import { LRUCache } from 'lru-cache';
import { WEEKDAYS } from '#app/domain/audit/policy-rule.ts';
import type { Circumstances } from '#app/engine/policy/decision-request.ts';

const MOST_ZONES = 100;
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: MOST_ZONES });

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  formats.set(zone, format);
  return format;
}

/** A moment on the clocks of a zone. Throws a RangeError for a zone that does not exist. */
export function localTime(at: Date, zone: string): Circumstances['time'] {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const name = parts.get('weekday')?.toLowerCase();
  const weekday = WEEKDAYS.find((known) => known === name);
  if (weekday === undefined) throw new RangeError('a day of the week has no known name');
  const [year = '', month = '', day = ''] = (['year', 'month', 'day'] as const).map((part) => parts.get(part));
  return { at: at.toISOString(), zone, weekday, date: `${year.padStart(4, '0')}-${month}-${day}`, hour: Number(parts.get('hour')) };
}

/** The host that a connection's endpoint names; empty for what is built in or runs as a command here. */
export function hostOf(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
}
