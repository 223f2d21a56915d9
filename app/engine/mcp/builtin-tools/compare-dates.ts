import { type BuiltinTool, objectSchema, ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';

const DAY_MS = 86_400_000;
/** Days walked one by one to count those without a weekend or holiday. */
const MAX_WORKING_DAYS_SPAN = 400_000;
const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

export const compareDates: BuiltinTool = {
  name: 'compare_dates',
  title: 'Compare dates',
  description:
    'Compares two dates or times (ISO 8601): which is first, the difference in days, working days, whole months and years, and whether a deadline of so many days or hours is kept.',
  inputSchema: objectSchema(
    {
      from: { type: 'string', title: 'From', description: '2026-11-20 or 2026-11-20T14:30:00Z; without a zone: UTC' },
      to: { type: 'string', title: 'To' },
      within_days: { type: 'number', title: 'Deadline in days', minimum: 0 },
      within_hours: { type: 'number', title: 'Deadline in hours', minimum: 0 },
      holidays: {
        type: 'array',
        title: 'Holidays',
        items: { type: 'string' },
        maxItems: 1_000,
        description: 'Days that are no working days, as 2026-12-25',
      },
    },
    ['within_days', 'within_hours', 'holidays'],
  ),
  outputSchema: objectSchema({
    order: { type: 'string', enum: ['before', 'same', 'after'], description: 'Where `from` lies, seen from `to`' },
    days: { type: 'number' },
    hours: { type: 'number' },
    workingDays: { type: 'integer', description: 'Monday to Friday without holidays, after the first day up to and including the last' },
    months: { type: 'integer' },
    years: { type: 'integer' },
    withinDeadline: { type: ['boolean', 'null'], description: 'Null without a deadline' },
    deadline: { type: ['string', 'null'] },
  }),
  run({ from, to, within_days: withinDays, within_hours: withinHours, holidays }) {
    const start = instantOf(String(from), 'from');
    const end = instantOf(String(to), 'to');
    const off = new Set(Array.isArray(holidays) ? holidays.map((day) => dayOf(instantOf(String(day), 'holidays'))) : []);
    const limitMs = typeof withinHours === 'number' ? withinHours * 3_600_000 : typeof withinDays === 'number' ? withinDays * DAY_MS : null;
    const months = wholeMonths(start, end);
    const deadline = limitMs === null ? null : new Date(start + limitMs);
    if (deadline !== null && Number.isNaN(deadline.getTime())) throw new ToolInputError('The deadline is too far away.');
    return {
      order: start < end ? 'before' : start > end ? 'after' : 'same',
      days: (end - start) / DAY_MS,
      hours: (end - start) / 3_600_000,
      workingDays: workingDays(start, end, off),
      months,
      years: Math.trunc(months / 12),
      withinDeadline: deadline === null ? null : end <= deadline.getTime(),
      deadline: deadline === null ? null : deadline.toISOString(),
    };
  },
};

function instantOf(text: string, name: string): number {
  const match = FORM.exec(text.trim());
  if (match === null) throw new ToolInputError(`'${name}' is no date: write it as 2026-11-20 or 2026-11-20T14:30:00Z.`);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day || hour > 24 || minute > 59 || second > 59) {
    throw new ToolInputError(`'${name}' is a day or time that does not exist: ${text.slice(0, 40)}.`);
  }
  const zone = match[8] ?? 'Z';
  const offset = zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
  const milliseconds = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  return utc.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
}

function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS);
}

function workingDays(from: number, to: number, off: ReadonlySet<number>): number {
  const [first, last] = from <= to ? [dayOf(from), dayOf(to)] : [dayOf(to), dayOf(from)];
  if (last - first > MAX_WORKING_DAYS_SPAN) throw new ToolInputError('The dates lie more than a thousand years apart.');
  let count = 0;
  for (let day = first + 1; day <= last; day += 1) {
    // 1 January 1970 was a Thursday.
    const weekday = (((day + 4) % 7) + 7) % 7;
    if (weekday !== 0 && weekday !== 6 && !off.has(day)) count += 1;
  }
  return from <= to ? count : -count;
}

/** Whole months between two instants; a month is over on the same day of the next, or on its last day. */
function wholeMonths(from: number, to: number): number {
  if (from > to) return -wholeMonths(to, from) || 0;
  const start = new Date(from);
  const end = new Date(to);
  let months = (end.getUTCFullYear() - start.getUTCFullYear()) * 12 + end.getUTCMonth() - start.getUTCMonth();
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  const anniversary = new Date(to);
  anniversary.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  anniversary.setUTCHours(start.getUTCHours(), start.getUTCMinutes(), start.getUTCSeconds(), start.getUTCMilliseconds());
  if (anniversary.getTime() > to) months -= 1;
  return months;
}
