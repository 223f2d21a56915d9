import { z } from 'zod';
import { message } from '#app/components/form/messages.ts';
import type { Json } from '#app/contracts/json.ts';
import { EMAIL_ADDRESS, EMAIL_MOST } from '#app/domain/workflows/fields/email-address.ts';
import { currenciesOf } from '#app/domain/workflows/fields/field-rules.ts';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';
import { localTimeOf, readLocalTime, TIME_OF_DAY } from '#app/domain/workflows/fields/local-time.ts';
import { type AmountFault, decimalsOf, MOST_MONEY, readAmount } from '#app/domain/workflows/fields/money.ts';
import { type InputField, visibleOptions } from '#app/domain/workflows/steps/input-field.ts';

type InputForm = {
  /** What a form of the field takes, and the value that a run gets of it. */
  schema(field: InputField): z.ZodType;
  /** What the form shows of such a value. `zone`: the reader's. */
  shown(value: Json, zone: string): unknown;
};

const unlessOptional = ({ required }: InputField, schema: z.ZodType) => (required ? schema : schema.optional());
const same = (value: Json) => value;

function textSchema({ required }: InputField) {
  const text = z.string().max(100_000);
  return required ? text.trim().min(1) : text.optional();
}

const INPUT_FORMS = {
  text: { schema: textSchema, shown: same },
  longtext: { schema: textSchema, shown: same },
  number: { schema: (field) => unlessOptional(field, z.number()), shown: same },
  boolean: { schema: () => z.boolean().default(false), shown: same },
  choice: { schema: (field) => unlessOptional(field, z.enum(visibleOptions(field))), shown: same },
  date: { schema: (field) => unlessOptional(field, z.iso.date()), shown: same },
  time: { schema: (field) => unlessOptional(field, z.string().regex(TIME_OF_DAY, message('timeOfDay'))), shown: same },
  datetime: { schema: dateTimeSchema, shown: (value, zone) => (typeof value === 'string' ? localTimeOf(value, zone) : null) },
  email: {
    schema: (field) => unlessOptional(field, z.string().trim().max(EMAIL_MOST).regex(EMAIL_ADDRESS, message('invalidEmail'))),
    shown: same,
  },
  money: { schema: moneySchema, shown: same },
} as const satisfies Record<FieldType, InputForm>;

/** The members of a form's schema for the fields that an author has written. None begins with an underscore. */
export const inputFieldShape = (fields: readonly InputField[]): Record<string, z.ZodType> =>
  Object.fromEntries(fields.map((field) => [field.name, INPUT_FORMS[field.type].schema(field)]));

/** The values of a form of that shape, without those of fields that were left empty. */
export const givenValues = (values: { [name: string]: unknown }): { [name: string]: Json } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [name: string]: Json };

/** What such a form shows of values: `givenValues` of it are the same values. */
export function shownValues(fields: readonly InputField[], values: { [name: string]: Json }, zone: string): { [name: string]: unknown } {
  const shown = fields.flatMap(({ name, type }) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? [] : [[name, INPUT_FORMS[type].shown(value, zone)]];
  });
  return Object.fromEntries(shown);
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
