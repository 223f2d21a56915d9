export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** When the clocks show a local time: once, never (put forward) or twice (put back). */
export function instantsOf(local: number, before: number, behind: number, hourly: boolean, offset: Offset): number[] {
  if (before === behind) return [local - before];
  const shown = [...new Set([local - before, local - behind])].filter((instant) => instant + offset(instant) === local);
  if (hourly) return shown;
  return [shown.length === 0 ? local - before : Math.min(...shown)];
}

/** Milliseconds by which a zone is ahead of UTC at an instant. */
export type Offset = (instant: number) => number;

/** Made for each question and kept by nobody: the same zone may be written in thousands of ways, in capitals and small letters. */
export function offsetsOf(timeZone: string): Offset {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (instant) => {
    const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(instant / 1000) * 1000;
  };
}

const WRITTEN = /^(\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const DAY_MS = 86_400_000;

/**
 * The instant of a date and time (ISO 8601; a date alone is its midnight) in a zone; null for what is none. With an offset or Z of its own the
 * zone does not matter. A time that the clocks skip comes as long after the change, one that they show twice comes the first time.
 */
export function instantOf(text: string, timeZone: string): Date | null {
  const written = text.trim().toUpperCase().replace(' ', 'T');
  const [, day, , ownOffset] = WRITTEN.exec(written) ?? [];
  if (day === undefined || !isTimeZone(timeZone)) return null;
  // A day that the month does not have is taken for one of the next by readers of dates.
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return null;
  if (ownOffset !== undefined) {
    const instant = Date.parse(written);
    return Number.isNaN(instant) ? null : new Date(instant);
  }
  const local = written === day ? midnight : Date.parse(`${written}Z`);
  const offset = offsetsOf(timeZone);
  const [instant = local] = instantsOf(local, offset(local - DAY_MS), offset(local + DAY_MS), false, offset);
  return new Date(instant);
}
