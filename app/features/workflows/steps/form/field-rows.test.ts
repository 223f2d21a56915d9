import { expect, test } from 'vitest';
import { inputFieldSchema } from '#app/domain/workflows/steps/input-field.ts';
import { fieldOfRow, fieldRowsOf, fieldRowsSchema } from '#app/features/workflows/steps/form/field-rows.ts';

const row = (name: string, more: object = {}) => ({
  name,
  title: name,
  type: 'text',
  of: 'text',
  required: true,
  options: '',
  help: '',
  ...more,
});
const faults = (rows: unknown) => {
  const read = fieldRowsSchema.safeParse(rows);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
};

test('fields of every shape come back from their rows as they were, to the byte', () => {
  const fields = [
    { name: 'note', title: 'Note', type: 'text' },
    { name: 'fee', title: 'Fee', type: 'money', required: false, options: ['EUR', 'CHF'], help: 'Net' },
    { name: 'tags', title: 'Tags', type: 'list', of: 'choice', options: ['a', 'b'] },
    {
      name: 'lines',
      title: 'Lines',
      type: 'list',
      of: 'group',
      fields: [
        { name: 'item', title: 'Item', type: 'text' },
        { name: 'place', title: 'Place', type: 'group', fields: [{ name: 'room', title: 'Room', type: 'number' }] },
      ],
    },
  ].map((field) => inputFieldSchema.parse(field));
  const read = fieldRowsSchema.parse(fieldRowsOf(fields)).map(fieldOfRow);
  const stored = read.map((field) => inputFieldSchema.parse(field));
  expect(JSON.stringify(stored)).toBe(JSON.stringify(fields));
});

test('a field from before has none of the keys that came later', () => {
  const before = '{"name":"note","title":"Note","type":"text","required":true,"options":[],"help":""}';
  expect(JSON.stringify(inputFieldSchema.parse(JSON.parse(before)))).toBe(before);
});

test('a fault stands at the row and control that has it, however deep', () => {
  const group = (fields: object[]) => row('group', { type: 'group', fields });
  expect(
    faults([
      row('Bad'),
      row('', { title: '' }),
      row('a'),
      row('a'),
      row('pick', { type: 'choice' }),
      row('fee', { type: 'money', options: 'eur\nEURO' }),
      group([row('x'), row('x'), row('picks', { type: 'list', of: 'choice' })]),
      row('empty', { type: 'group', fields: [row('', { title: '' })] }),
    ]).toSorted(),
  ).toEqual(
    [
      '0.name fieldName',
      '3.name nameTaken',
      '4.options workflow.noOptions?name=pick',
      '5.options workflow.unknownCurrency?name=fee&currency=EURO',
      '6.fields.1.name nameTaken',
      '6.fields.2.options workflow.noOptions?name=picks',
      '7.type workflow.noGroupFields?name=empty',
    ].toSorted(),
  );
});

test('a group deeper than forms go is refused', () => {
  const deep = row('a', {
    type: 'group',
    fields: [row('b', { type: 'group', fields: [row('c', { type: 'group', fields: [row('d')] })] })],
  });
  expect(faults([deep])).toEqual(['0.fields.0.fields.0.type workflow.noGroupFields?name=c']);
  expect(inputFieldSchema.safeParse(fieldOfRow(deep as Parameters<typeof fieldOfRow>[0])).success).toBe(false);
});
