import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Formats, useFormats } from '#app/components/text/locale-context.tsx';
import { JsonView } from '#app/components/value/json-view.tsx';
import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { TIME_OF_DAY } from '#app/domain/workflows/fields/local-time.ts';
import { decimalsOf, isMoney, type Money } from '#app/domain/workflows/fields/money.ts';

type Words = { yes: string; no: string };
/** A value in the reader's language; null where it is not of the type, which changes after values were stored. */
type Show = (value: Json, formats: Formats, words: Words) => string | null;

const asText: Show = (value) => (typeof value === 'string' ? value : null);
const byText =
  (isOne: (text: string) => boolean, show: (text: string, formats: Formats) => string): Show =>
  (value, formats) =>
    typeof value === 'string' && isOne(value) ? show(value, formats) : null;
const isTime = (text: string) => !Number.isNaN(Date.parse(text));

const SHOWN = {
  text: asText,
  longtext: asText,
  number: (value, formats) => (typeof value === 'number' ? formats.number(value, { maximumFractionDigits: 20 }) : null),
  boolean: (value, _, words) => (typeof value === 'boolean' ? (value ? words.yes : words.no) : null),
  choice: asText,
  date: byText(
    (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isTime(text),
    (text, formats) => formats.day(text),
  ),
  time: byText(
    (text) => TIME_OF_DAY.test(text),
    (text, formats) => formats.timeOfDay(text),
  ),
  datetime: byText(isTime, (text, formats) => formats.exactTime(text)),
  email: asText,
  money: (value, formats) => (isMoney(value) ? inCurrency(value, formats) : null),
} as const satisfies Record<FieldType, Show>;

function inCurrency({ amount, currency }: Money, formats: Formats): string {
  return formats.number(amount, { style: 'currency', currency, minimumFractionDigits: decimalsOf(currency), maximumFractionDigits: 10 });
}

/** The value of a field, in the reader's language. `type`: null where no field is known. `most`: characters of a text that are shown. Plain text, never markup: it comes from outside. */
export function FieldValue({ type, name, value, most }: { type: FieldType | null; name: string; value: Json; most?: number }): ReactNode {
  const { t } = useTranslation('inputs');
  const formats = useFormats();
  if (value === null || value === '') return '–';
  const shown = SHOWN[type ?? (typeof value === 'boolean' ? 'boolean' : 'text')](value, formats, { yes: t('yes'), no: t('no') });
  const text = shown ?? (typeof value === 'object' ? null : String(value));
  if (text === null) return <JsonView value={value} label={revealedText(name)} />;
  return (
    <span dir="auto" className="block text-as-parent wrap-anywhere whitespace-pre-wrap">
      {revealedText(most === undefined || text.length <= most ? text : `${text.slice(0, most)}…`)}
    </span>
  );
}
