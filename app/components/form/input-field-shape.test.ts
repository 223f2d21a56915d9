import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { givenValues, inputFieldShape, shownValues } from '#app/components/form/input-field-shape.ts';
import { parseFormData } from '#app/components/form/parse-form.server.ts';
import type { Json } from '#app/contracts/json.ts';
import { FIELD_TYPES } from '#app/domain/workflows/fields/field-types.ts';
import { type InputField, inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { checkRunInput } from '#app/engine/runs/start-run.ts';

const field = (name: string, type: InputField['type'], more: Partial<InputField> = {}) =>
  inputFieldSchema.parse({ name, title: name, type, ...more });

/** What a browser posts for a value of `shownValues`. */
function post(value: unknown, name = '', form = new FormData()): FormData {
  const child = (key: string) => (name === '' ? key : `${name}.${key}`);
  if (Array.isArray(value)) for (const [index, one] of value.entries()) post(one, `${name}[${index}]`, form);
  else if (typeof value === 'object' && value !== null) for (const [key, one] of Object.entries(value)) post(one, child(key), form);
  else if (value === true) form.append(name, 'on');
  else if (value !== false && value !== undefined && value !== null) form.append(name, String(value));
  return form;
}

async function read(fields: readonly InputField[], posted: FormData) {
  const parsed = await parseFormData(posted, z.object(inputFieldShape(fields)));
  return parsed.ok ? { values: givenValues(parsed.value), errors: {} } : { values: null, errors: parsed.reply.errors.fieldErrors };
}

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'UTC'];
const TEXTS: Record<InputField['type'], readonly string[]> = {
  text: ['a', ' b ', '0'],
  longtext: ['one\ntwo'],
  number: ['0', '-1.5', '1e3', ' 7 ', 'NaN', 'Infinity', '0x10'],
  boolean: ['on', 'yes'],
  choice: ['x', 'y', 'z'],
  date: ['2026-02-28', '2026-02-30', '2024-02-29', '26-1-1'],
  time: ['09:30', '23:59:59', '24:00', '9:30', '09:30:00.5'],
  datetime: ['2026-01-15T09:00', '2026-03-29T02:30', '2026-10-25T02:30:10', '2026-01-15', '275760-01-01T00:00', '9999-12-31T23:59'],
  email: ['a@b.org', 'a.b+c@d-e.org', 'a@b-.org', '.a@b.org', 'a..b@c.org', 'a@b', 'ü@b.org', ' a@b.org '],
  money: ['12', '12,5', '0.005', '1,000', '-7', '999999999999.99', '1e9', '٣٫٥'],
};

/** What may be typed into a field of each type, right and wrong. */
function typed(input: InputField): fc.Arbitrary<unknown> {
  const text = fc.oneof(fc.constantFrom(...TEXTS[input.type], ''), fc.string({ maxLength: 12 }));
  if (input.type === 'datetime') return fc.record({ local: text, zone: fc.constantFrom(...ZONES, '', 'Nowhere/At_All') });
  if (input.type === 'money') return fc.record({ amount: text, currency: fc.constantFrom('EUR', 'JPY', 'KWD', 'XXX', '') });
  return text;
}

const FIELDS = FIELD_TYPES.flatMap((type) =>
  [true, false].map((required) =>
    field(`${type}_${required ? 'must' : 'may'}`, type, { required, ...(type === 'choice' && { options: ['x', 'y'] }) }),
  ),
);

test.each(FIELDS)('$name: what the form takes a run takes, and it is the same when the form shows it again', async (input) => {
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(typed(input), fc.constantFrom(...ZONES), async (value, zone) => {
      const { values } = await read([input], post({ [input.name]: value }));
      if (values === null) return;
      taken += 1;
      expect(checkRunInput({ ...EMPTY_WORKFLOW, input: [input] }, values)).toEqual({ ok: true, value: values });
      const stored = JSON.parse(JSON.stringify(values)) as { [name: string]: Json };
      const again = await read([input], post(shownValues([input], stored, zone)));
      expect(again.values).toEqual(stored);
    }),
    { numRuns: 200 },
  );
  expect(taken).toBeGreaterThan(0);
});

test('a fault stands at the part that has it', async () => {
  const fields = [field('at', 'datetime'), field('total', 'money'), field('fee', 'money', { options: ['EUR'] }), field('to', 'email')];
  const { errors } = await read(
    fields,
    post({
      at: { local: '2026-03-29T02:30', zone: 'Europe/Berlin' },
      total: { amount: '1,000', currency: '' },
      fee: { amount: '', currency: 'EUR' },
      to: 'me',
    }),
  );
  expect(errors).toEqual({
    'at.local': ['skippedTime?zone=Europe%2FBerlin'],
    'total.amount': ['amountShape'],
    'total.currency': ['chooseOne'],
    'fee.amount': ['required'],
    to: ['invalidEmail'],
  });
});

test('a currency alone is no money, where none is asked for', async () => {
  const { values } = await read([field('fee', 'money', { required: false })], post({ fee: { amount: '', currency: 'EUR' } }));
  expect(values).toEqual({});
});
