import type { Json } from '#app/contracts/json.ts';
import { TIME_OF_DAY } from '#app/domain/workflows/fields/local-time.ts';
import { isMoney } from '#app/domain/workflows/fields/money.ts';
import type { PLAIN_VALUES } from '#app/domain/workflows/fields/plain-values.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * How a value is shown where its field is not known: money, numbers, days and moments in the reader's language. Null: as it is. A text that
 * only resembles a day or a moment ('2026-02-31') is none.
 */
export function factType(value: Json): keyof typeof PLAIN_VALUES | 'boolean' | null {
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'boolean';
  // with a third member it would be shown as less than is sent
  if (isMoney(value)) return Object.keys(value).length === 2 ? 'money' : null;
  if (typeof value !== 'string') return null;
  if (DAY.test(value)) return isDay(value) ? 'date' : null;
  if (MOMENT.test(value)) return isDay(value.slice(0, 10)) && !Number.isNaN(Date.parse(value)) ? 'datetime' : null;
  return TIME_OF_DAY.test(value) ? 'time' : null;
}

function isDay(text: string): boolean {
  const moment = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}
