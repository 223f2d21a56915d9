import { expect, it } from 'vitest';
import type { Refusal } from '#app/domain/refusal.ts';
import { type ChangeableData, readChange } from '#app/engine/runs/changed-data.ts';

const given: ChangeableData = {
  path: 'pay',
  part: 'input',
  name: 'Pay',
  value: { payee: 'Ada', amount: 3 },
  schema: { type: 'object', properties: { payee: { type: 'string' }, amount: { type: 'number' } }, required: ['payee'] },
};

function refusalOf(text: string, data: ChangeableData = given): { field: string | null; key: string | undefined; said: string } {
  try {
    readChange(data, text);
  } catch (error) {
    const { field, reasons } = error as Refusal;
    return { field, key: reasons[0]?.key, said: String(reasons[0]?.values?.detail ?? '') };
  }
  throw new Error('it was taken');
}

it('takes other data of the same shape, named by the digests of both', () => {
  const change = readChange(given, '{"payee": "Bea", "amount": 3}');
  expect(change).toMatchObject({ path: 'pay', part: 'input', value: { payee: 'Bea', amount: 3 } });
  expect([change.before, change.after].every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
  expect(change.before).not.toBe(change.after);
});

it('refuses at the field what is no JSON, no object, not as the schema has it, or cannot be kept', () => {
  expect(refusalOf('{"payee": ')).toMatchObject({ field: 'data', key: 'dataJson' });
  expect(refusalOf('')).toMatchObject({ field: 'data', key: 'dataJson' });
  for (const text of ['[]', 'null', '"Ada"']) expect(refusalOf(text)).toMatchObject({ field: 'data', key: 'dataNoObject' });
  expect(refusalOf('{"payee": 7}')).toMatchObject({ field: 'data', key: 'dataSchema', said: '/payee must be string' });
  expect(refusalOf('{"amount": 7}')).toMatchObject({ field: 'data', key: 'dataSchema', said: "must have required property 'payee'" });
  for (const text of ['{"payee": "\\u0000"}', '{"payee": "\\ud800"}'])
    expect(refusalOf(text)).toMatchObject({ field: 'data', key: 'invalid' });
  expect(refusalOf(JSON.stringify({ payee: 'x'.repeat(100_001) }))).toMatchObject({ field: 'data', key: 'tooLong' });
});

it('refuses the same data written otherwise', () => {
  expect(refusalOf('{ "amount": 3.0, "payee": "Ada" }')).toMatchObject({ field: 'data', key: 'dataSame' });
});

it('takes any value in place of a result that no schema describes', () => {
  const result: ChangeableData = { ...given, part: 'output', value: null, schema: null };
  expect(readChange(result, '[1]').value).toEqual([1]);
});
