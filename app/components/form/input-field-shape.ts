import { z } from 'zod';
import { readKeptFile } from '#app/components/form/files/kept-file.ts';
import { message } from '#app/components/form/messages.ts';
import type { Json } from '#app/contracts/json.ts';
import { countEntries } from '#app/domain/workflows/fields/count-entries.ts';
import { EMAIL_ADDRESS, EMAIL_MOST } from '#app/domain/workflows/fields/email-address.ts';
import { currenciesOf } from '#app/domain/workflows/fields/field-rules.ts';
import { ENTRIES_MAX, type FieldType, LIST_MAX } from '#app/domain/workflows/fields/field-types.ts';
import { localTimeOf, readLocalTime, TIME_OF_DAY } from '#app/domain/workflows/fields/local-time.ts';
import { type AmountFault, decimalsOf, MOST_MONEY, readAmount } from '#app/domain/workflows/fields/money.ts';
import { entryField, type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

type InputForm = {
  /** Schema of the field in a form; its output is the value that a run gets. */
  schema(field: InputField): z.ZodType;
  /** The value as the form shows it. `zone`: the reader's. */
  shown(value: Json, field: InputField, zone: string): unknown;
  /** The value of an empty field. */
  empty?(field: InputField): unknown;
  /** Whether nothing was typed, though a part may have been chosen from the start. `sent`: as the form posts it. */
  isBlank?(sent: Sent, field: InputField): boolean;
};
type Sent = { readonly [name: string]: unknown };

const unlessOptional = ({ required }: InputField, schema: z.ZodType) => (required ? schema : schema.optional());
const shown = (value: Json) => value;

function textSchema({ required }: InputField) {
  const text = z.string().max(100_000);
  return required ? text.trim().min(1) : text.optional();
}

const INPUT_FORMS = {
  text: { schema: textSchema, shown },
  longtext: { schema: textSchema, shown },
  number: { schema: (field) => unlessOptional(field, z.number()), shown },
  boolean: { schema: () => z.boolean().default(false), shown },
  choice: { schema: (field) => unlessOptional(field, z.enum(visibleOptions(field))), shown },
  date: { schema: (field) => unlessOptional(field, z.iso.date()), shown },
  time: { schema: (field) => unlessOptional(field, z.string().regex(TIME_OF_DAY, message('timeOfDay'))), shown },
  datetime: {
    schema: dateTimeSchema,
    shown: (value, _, zone) => (typeof value === 'string' ? localTimeOf(value, zone) : null),
    isBlank: ({ local }) => isEmpty(local),
  },
  email: {
    schema: (field) => unlessOptional(field, z.string().trim().max(EMAIL_MOST).regex(EMAIL_ADDRESS, message('invalidEmail'))),
    shown,
  },
  money: { schema: moneySchema, shown, isBlank: ({ amount }) => isEmpty(amount) },
  list: {
    schema: listSchema,
    shown: (value, field, zone) => (Array.isArray(value) ? value.map((entry) => shownValue(entryField(field), entry, zone)) : null),
    empty: (field) => (field.required ? [emptyEntry(field)] : []),
  },
  group: {
    schema: groupSchema,
    shown: (value, { fields = [] }, zone) => (isObject(value) ? shownValues(fields, value, zone) : null),
    empty: ({ fields = [] }) => emptyValues(fields),
    isBlank: (sent, { fields = [] }) => fields.every((field) => isBlank(sent[field.name], field)),
  },
  file: {
    schema: fileSchema,
    shown: (value) => ({ kept: JSON.stringify(value) }),
    isBlank: ({ upload, kept }) => isEmpty(kept) && !isChosen(upload),
  },
} as const satisfies Record<FieldType, InputForm>;

const inputForm = (type: FieldType): InputForm => INPUT_FORMS[type];
const isObject = (value: unknown): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** A browser posts an empty part where no file was chosen. */
const isChosen = (upload: unknown) => [upload].flat().some((file) => file instanceof File && file.size > 0);
const isEmpty = (sent: unknown) => sent === undefined || sent === null || sent === '';

function isBlank(sent: unknown, field: InputField): boolean {
  if (Array.isArray(sent)) return sent.every((entry) => isBlank(entry, field.type === 'list' ? entryField(field) : field));
  return isObject(sent) ? (inputForm(field.type).isBlank?.(sent, field) ?? false) : isEmpty(sent);
}

/** The members of a form's schema for the fields that an author has written. None begins with an underscore. */
export const inputFieldShape = (fields: readonly InputField[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map((field) => [field.name, inputForm(field.type).schema(field)]));

/** Refuses values with more entries in their lists than a run takes. */
export function withinEntries(values: object, context: z.RefinementCtx): void {
  if (countEntries(values) > ENTRIES_MAX)
    context.addIssue({ code: 'custom', message: message('tooManyEntries', { maximum: ENTRIES_MAX }) });
}

/** The values of a form of that shape, without those of fields that were left empty. */
export const givenValues = (values: { [name: string]: unknown }): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [name: string]: Json };

/** A run's values as the form shows them: `givenValues` turns them back into the same values. */
export function shownValues(fields: readonly InputField[], values: { [name: string]: Json }, zone: string): { [name: string]: unknown } {
  const entries = fields.map((field) => {
    const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
    return [field.name, value === undefined ? inputForm(field.type).empty?.(field) : shownValue(field, value, zone)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const shownValue = (field: InputField, value: Json, zone: string) => inputForm(field.type).shown(value, field, zone);
const emptyValues = (fields: readonly InputField[]) => shownValues(fields, {}, '');

/** A row of a list before anything was typed into it. */
export function emptyEntry(list: InputField): unknown {
  const entry = entryField(list);
  return inputForm(entry.type).empty?.(entry) ?? '';
}

/** Rows in which nothing was typed are left out; a fault keeps the number of its row as it is shown. */
function listSchema(field: InputField) {
  const entry = entryField(field);
  const row = z.preprocess((sent) => (isBlank(sent, entry) ? undefined : sent), inputForm(entry.type).schema(entry).optional());
  return z
    .array(row)
    .max(LIST_MAX, message('tooManyEntries', { maximum: LIST_MAX }))
    .transform((rows, context) => {
      const entries = rows.filter((value) => value !== undefined);
      if (field.required && entries.length === 0) context.addIssue({ code: 'custom', message: message('noEntry') });
      return entries;
    });
}

function groupSchema(field: InputField) {
  const members = z.object(inputFieldShape(field.fields ?? [])).transform(givenValues);
  if (field.required) return members;
  return z.preprocess((sent) => (isBlank(sent, field) ? undefined : sent), members.optional());
}

function dateTimeSchema(field: InputField) {
  return z.object({ local: z.string().max(40).optional(), zone: z.string().max(64).optional() }).transform(({ local, zone }, context) => {
    const refuse = (text: string) => context.addIssue({ code: 'custom', message: text, path: ['local'] });
    if (local === undefined) return field.required ? refuse(message('required')) : undefined;
    // A form without a zone is none of ours: guessing one would move the time.
    const read = readLocalTime({ local, zone: zone ?? '' });
    if ('instant' in read) return read.instant;
    return refuse(read.fault === 'skipped' ? message('skippedTime', { zone: zone ?? '' }) : message('dateTime'));
  });
}

/** The server has put what it kept in the place of what was sent; in the browser the file itself is there. */
function fileSchema(field: InputField) {
  return z.object({ upload: z.unknown().optional(), kept: z.string().max(2_000).optional() }).transform(({ upload, kept }, context) => {
    const file = readKeptFile(kept);
    if (file !== null) return file;
    // In the browser alone: a list counts it among its entries.
    if (isChosen(upload)) return {};
    if (field.required) context.addIssue({ code: 'custom', message: message('fileMissing'), path: ['upload'] });
    return undefined;
  });
}

const AMOUNT_FAULTS = {
  shape: () => message('amountShape'),
  decimals: (decimals) => (decimals === 0 ? message('amountWhole') : message('amountDecimals', { maximum: decimals })),
  tooBig: () => message('tooBig', { limit: MOST_MONEY }),
  tooSmall: () => message('tooSmall', { limit: -MOST_MONEY }),
} as const satisfies Record<AmountFault, (decimals: number) => string>;

/** A currency alone is no value: it may have been chosen from the start. */
function moneySchema(field: InputField) {
  const allowed = new Set(currenciesOf(field));
  return z
    .object({ amount: z.string().max(60).optional(), currency: z.string().max(3).optional() })
    .transform(({ amount: written, currency }, context) => {
      const refuse = (part: string, text: string) => context.addIssue({ code: 'custom', message: text, path: [part] });
      if (written === undefined) return field.required ? refuse('amount', message('required')) : undefined;
      const read = readAmount(written, currency ?? '');
      if ('fault' in read) refuse('amount', AMOUNT_FAULTS[read.fault](decimalsOf(currency ?? '')));
      if (currency === undefined || !allowed.has(currency)) return refuse('currency', message('chooseOne'));
      return 'amount' in read ? { amount: read.amount, currency } : undefined;
    });
}
