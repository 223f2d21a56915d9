import { instantOf, offsetsOf } from '#app/domain/workflows/time-zone.ts';

/** A time of day, without a zone: `09:30` or `09:30:15`. */
export const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;

/** An instant as a form shows it: `2027-01-15T09:00` and the zone that it is meant in. */
export type LocalTime = { local: string; zone: string };

/** A day away from years of three and five digits, so that every zone can show it. */
const FIRST = Date.UTC(1000, 0, 2);
const LAST = Date.UTC(9999, 11, 30);
const LOCAL = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?$/;

/** The instant (ISO 8601, UTC) of what a form sent; the faults: no date and time, or a time that the clocks of the zone skip that day. */
export function readLocalTime({ local, zone }: LocalTime): { instant: string } | { fault: 'shape' | 'skipped' } {
  const instant = LOCAL.test(local) ? instantOf(local, zone) : null;
  if (instant === null || instant.getTime() < FIRST || instant.getTime() > LAST) return { fault: 'shape' };
  const shown = instant.getTime() + offsetsOf(zone)(instant.getTime());
  if (shown !== Date.parse(`${local.replace(' ', 'T')}Z`)) return { fault: 'skipped' };
  return { instant: instant.toISOString().replace('.000Z', 'Z') };
}

/** The same backwards. In UTC where the clocks of the zone show one time twice and this is the second; null for what is no instant. */
export function localTimeOf(instant: string, zone: string): LocalTime | null {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return null;
  const local = shownIn(time, zone);
  if (instantOf(local, zone)?.getTime() === time) return { local, zone };
  return { local: shownIn(time, 'UTC'), zone: 'UTC' };
}

/** Seconds only where there are some, as a browser's field has it. */
const shownIn = (time: number, zone: string) => new Date(time + offsetsOf(zone)(time)).toISOString().replace(/(?::00)?\.000Z$|Z$/, '');
