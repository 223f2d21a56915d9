import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { givenValues, inputFieldShape, shownValues, withinEntries } from '#app/components/form/input-field-shape.ts';
import { parseFormData } from '#app/components/form/parse-form.server.ts';
import type { Json } from '#app/contracts/json.ts';
import { ENTRIES_MAX, FIELD_TYPES, ITEM_TYPES, LIST_MAX } from '#app/domain/workflows/fields/field-types.ts';
import { entryField, type InputField, inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { EMPTY_WORKFLOW } from '#app/domain/workflows/workflow.ts';
import { checkRunInput } from '#app/engine/runs/start-run.ts';

const field = (name: string, type: InputField['type'], more: Partial<InputField> = {}) =>
  inputFieldSchema.parse({ name, title: name, type, ...more });

/** The entries that a browser posts for a value of `shownValues`. */
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
  file: [],
  money: ['12', '12,5', '0.005', '1,000', '-7', '999999999999.99', '1e9', '٣٫٥'],
  list: [],
  group: [],
};

const FILE = {
  file: '00000000-0000-7000-8000-000000000001',
  name: 'a.pdf',
  mediaType: 'application/pdf',
  size: 3,
  sha256: 'a'.repeat(64),
};

/** Texts to type into a field of each type: each right, or right and wrong ones beside each other. */
function typed(input: InputField, right: boolean): fc.Arbitrary<unknown> {
  if (input.type === 'list') return fc.array(typed(entryField(input), right), { maxLength: 4 });
  if (input.type === 'group') return fc.record(Object.fromEntries((input.fields ?? []).map((one) => [one.name, typed(one, right)])));
  const mixed = (first: string, others: readonly string[], more: fc.Arbitrary<string>) =>
    right ? fc.constant(first) : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(first, ...others, '') }, { weight: 1, arbitrary: more });
  const [first = '', ...others] = TEXTS[input.type];
  const text = mixed(first, others, fc.string({ maxLength: 12 }));
  const [zone = '', ...zones] = ZONES;
  if (input.type === 'datetime') return fc.record({ local: text, zone: mixed(zone, zones, fc.constant('Nowhere/At_All')) });
  if (input.type === 'money') return fc.record({ amount: text, currency: mixed('EUR', ['JPY', 'KWD'], fc.constant('XXX')) });
  if (input.type === 'file') return fc.record({ kept: mixed(JSON.stringify(FILE), ['{}'], fc.constant('x')) });
  return text;
}

const bothWays = (name: string, type: InputField['type'], more: Partial<InputField> = {}) =>
  [true, false].map((required) => field(`${name}_${required ? 'must' : 'may'}`, type, { required, ...more }));
const options = ['x', 'y'];
const PLAIN = FIELD_TYPES.filter((type) => type !== 'list' && type !== 'group').flatMap((type) =>
  bothWays(type, type, type === 'choice' ? { options } : {}),
);
const GROUP = bothWays('inner', 'group', { fields: [...bothWays('number', 'number'), ...bothWays('money', 'money')] });
const FIELDS = [
  ...PLAIN,
  ...ITEM_TYPES.filter((of) => of !== 'group').flatMap((of) => bothWays(`list_${of}`, 'list', { of, ...(of === 'choice' && { options }) })),
  ...bothWays('list', 'list', { of: 'group', fields: [...bothWays('when', 'datetime'), ...bothWays('tags', 'list'), ...GROUP] }),
  ...bothWays('group', 'group', { fields: [...bothWays('mail', 'email'), ...bothWays('yes', 'boolean'), ...GROUP] }),
];

test.each(FIELDS)('$name: what the form takes a run takes, and it is the same when the form shows it again', async (input) => {
  let taken = 0;
  await fc.assert(
    // A group is taken only where all of it is right: half of the values are.
    fc.asyncProperty(fc.oneof(typed(input, true), typed(input, false)), fc.constantFrom(...ZONES), async (value, zone) => {
      const { values } = await read([input], post({ [input.name]: value }));
      if (values === null) return;
      taken += 1;
      expect(checkRunInput({ ...EMPTY_WORKFLOW, input: [input] }, values)).toEqual({ ok: true, value: values });
      const stored = JSON.parse(JSON.stringify(values)) as { [name: string]: Json };
      const again = await read([input], post(shownValues([input], stored, zone)));
      expect(again.values).toEqual(stored);
    }),
    { numRuns: process.env.QUORATE_TEST_FULL ? 400 : 40 },
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

const LINES = field('lines', 'list', {
  of: 'group',
  fields: [field('item', 'text'), field('price', 'money'), field('tags', 'list', { required: false }), field('gift', 'boolean')],
});

test('rows in which nothing was typed are left out, and a fault keeps the number of its row', async () => {
  const blank = { item: '', price: { amount: '', currency: 'EUR' }, tags: [''] };
  const desk = { item: 'Desk', price: { amount: '480', currency: 'EUR' }, tags: ['', 'oak'] };
  expect((await read([LINES], post({ lines: [blank, desk, blank] }))).values).toEqual({
    lines: [{ item: 'Desk', price: { amount: 480, currency: 'EUR' }, tags: ['oak'], gift: false }],
  });
  const { errors } = await read([LINES], post({ lines: [blank, { ...desk, price: { amount: 'much', currency: '' } }] }));
  expect(errors).toEqual({ 'lines[1].price.amount': ['amountShape'], 'lines[1].price.currency': ['chooseOne'] });
  expect((await read([LINES], post({ lines: [blank] }))).errors).toEqual({ lines: ['noEntry'] });
});

test('a list and all lists together have a most, for forms and for programs', async () => {
  const list = field('of', 'list');
  const many = Array.from({ length: LIST_MAX + 1 }, () => 'x');
  expect((await read([list], post({ of: many }))).errors).toEqual({ of: [`tooManyEntries?maximum=${LIST_MAX}`] });
  expect(checkRunInput({ ...EMPTY_WORKFLOW, input: [list] }, { of: many })).toMatchObject({ ok: false, issues: [{ field: 'of' }] });
  const lists = Array.from({ length: 6 }, (_, index) => field(`list_${index}`, 'list'));
  const all = Object.fromEntries(lists.map(({ name }) => [name, many.slice(1)]));
  const parsed = await parseFormData(post(all), z.object(inputFieldShape(lists)).superRefine(withinEntries));
  expect(parsed).toMatchObject({ ok: false, reply: { errors: { formErrors: [`tooManyEntries?maximum=${ENTRIES_MAX}`] } } });
  expect(checkRunInput({ ...EMPTY_WORKFLOW, input: lists }, all)).toEqual({ ok: false, issues: [{ field: '', key: 'tooLong' }] });
});

test('a program is told the exact place of what does not fit', () => {
  const given = { lines: [{ item: 'Desk', price: { amount: 480 }, gift: false }] };
  expect(checkRunInput({ ...EMPTY_WORKFLOW, input: [LINES] }, given)).toEqual({
    ok: false,
    issues: [{ field: 'lines[0].price.currency', key: 'required' }],
  });
});
