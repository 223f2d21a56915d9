import type { Json } from '#app/contracts/json.ts';
import type { Formats } from '#app/domain/web/formats.ts';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { TIME_OF_DAY } from '#app/domain/workflows/fields/local-time.ts';
import { currencyFormat, isMoney } from '#app/domain/workflows/fields/money.ts';

type Write = (value: Json, formats: Formats) => string | null;

const isTime = (text: string) => !Number.isNaN(Date.parse(text));
const byText =
  (isOne: (text: string) => boolean, write: (text: string, formats: Formats) => string): Write =>
  (value, formats) =>
    typeof value === 'string' && isOne(value) ? write(value, formats) : null;

/** Numbers, amounts and times in the reader's language, with every decimal that they have. Null: the value is not of the type. */
export const PLAIN_VALUES = {
  number: (value, formats) => (typeof value === 'number' ? formats.number(value, { maximumFractionDigits: 20 }) : null),
  money: (value, formats) => (isMoney(value) ? formats.number(value.amount, currencyFormat(value.currency)) : null),
  date: byText(
    (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(text),
    (text, formats) => formats.day(text),
  ),
  time: byText(
    (text) => TIME_OF_DAY.test(text),
    (text, formats) => formats.timeOfDay(text),
  ),
  datetime: byText(isTime, (text, formats) => formats.exactTime(text)),
} as const satisfies Partial<Record<FieldType, Write>>;
