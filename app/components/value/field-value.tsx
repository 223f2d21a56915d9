import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { JsonView } from '#app/components/value/json-view.tsx';
import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { runFileSchema } from '#app/domain/documents/run-file.ts';
import type { Formats } from '#app/domain/web/formats.ts';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { PLAIN_VALUES } from '#app/domain/workflows/fields/plain-values.ts';
import { entryField, type InputField } from '#app/domain/workflows/steps/input-field.ts';

type Reader = { formats: Formats; yes: string; no: string; most: number };
/** A value in the reader's language; null where it is not of the type, which changes after values were stored. */
type Show = (value: Json, field: InputField | null, reader: Reader) => ReactNode;

const asText: Show = (value, _, { most }) => (typeof value === 'string' ? <Text text={value} most={most} /> : null);
const plain =
  (type: keyof typeof PLAIN_VALUES): Show =>
  (value, _, { formats }) =>
    PLAIN_VALUES[type](value, formats);

const SHOWN = {
  text: asText,
  longtext: asText,
  number: plain('number'),
  boolean: (value, _, { yes, no }) => (typeof value === 'boolean' ? (value ? yes : no) : null),
  choice: asText,
  date: plain('date'),
  time: plain('time'),
  datetime: plain('datetime'),
  email: asText,
  money: plain('money'),
  list: (value, field, reader) =>
    Array.isArray(value) && field !== null ? <Entries values={value} field={entryField(field)} reader={reader} /> : null,
  group: (value, field, reader) =>
    isObject(value) && field !== null ? <Members value={value} fields={field.fields ?? []} reader={reader} /> : null,
  file: (value) => runFileSchema.safeParse(value).data?.name ?? null,
} as const satisfies Record<FieldType, Show>;

const isObject = (value: Json): value is { [name: string]: Json } => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The value of a field, in the reader's language; `field`: null where none is known, then `name` says what it is. `most`: characters of a text
 * that are shown. Plain text, never markup: it comes from outside.
 */
export function FieldValue({
  field,
  name,
  value,
  most = Number.POSITIVE_INFINITY,
}: {
  field: InputField | null;
  name: string;
  value: Json;
  most?: number;
}) {
  const { t } = useTranslation('inputs');
  const formats = useFormats();
  return shownOf(value, field, name, { formats, yes: t('yes'), no: t('no'), most });
}

function shownOf(value: Json, field: InputField | null, name: string, reader: Reader): ReactNode {
  if (value === null || value === '') return '–';
  const shown = SHOWN[field?.type ?? (typeof value === 'boolean' ? 'boolean' : 'text')](value, field, reader);
  if (shown !== null) return shown;
  if (typeof value === 'object') return <JsonView value={value} label={revealedText(name)} />;
  return <Text text={String(value)} most={reader.most} />;
}

function Text({ text, most }: { text: string; most: number }) {
  return (
    <span dir="auto" className="block text-as-parent wrap-anywhere whitespace-pre-wrap">
      {revealedText(text.length <= most ? text : `${text.slice(0, most)}…`)}
    </span>
  );
}

function Entries({ values, field, reader }: { values: readonly Json[]; field: InputField; reader: Reader }) {
  if (values.length === 0) return '–';
  return (
    <ol className="grid list-decimal gap-2 ps-6">
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity of their own, and these never change places
        <li key={index}>{shownOf(value, field, field.title, reader)}</li>
      ))}
    </ol>
  );
}

function Members({ value, fields, reader }: { value: { [name: string]: Json }; fields: readonly InputField[]; reader: Reader }) {
  return (
    <dl className="grid gap-1">
      {fields.map((field) => (
        <div key={field.name} className="flex flex-wrap gap-x-2">
          <dt className="text-muted">{revealedText(field.title)}</dt>
          <dd className="min-w-0">{shownOf(value[field.name] ?? null, field, field.title, reader)}</dd>
        </div>
      ))}
    </dl>
  );
}
