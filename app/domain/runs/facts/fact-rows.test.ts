import { expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { readRows } from '#app/domain/runs/facts/fact-rows.ts';
import { factType } from '#app/domain/runs/facts/fact-type.ts';

test('a list of alike objects is a table, with every member in it', () => {
  const rows = readRows([
    { payee: 'Jon Smith', amount: 9_900 },
    { payee: 'Harbour', note: null },
  ]);
  expect(rows).toEqual({
    columns: ['payee', 'amount', 'note'],
    rows: [
      ['Jon Smith', 9_900, null],
      ['Harbour', null, null],
    ],
  });
});

const one = { a: 1 };
test.each<[string, Json]>([
  ['a text', 'a'],
  ['one object', one],
  ['a list of one', [one]],
  ['a list of texts', ['a', 'b']],
  ['a cell with members of its own', [{ a: { b: 1 } }, one]],
  ['a cell that would be cut', [{ a: 'x'.repeat(301) }, one]],
  ['more rows than a page lists', Array.from({ length: 51 }, () => one)],
  ['more columns than fit', [Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`c${n}`, n])), one]],
  ['objects without members', [{}, {}]],
])('%s is none', (_, value) => {
  expect(readRows(value)).toBeNull();
});

test.each<[Json, string | null]>([
  [9_900, 'number'],
  [true, 'boolean'],
  [{ amount: 9_900, currency: 'EUR' }, 'money'],
  // it would be shown as less than is sent
  [{ amount: 9_900, currency: 'EUR', to: 'Jon Smith' }, null],
  ['2026-11-25', 'date'],
  ['2026-02-31', null],
  ['2026-11-25T09:30:00Z', 'datetime'],
  ['2026-11-25T09:30:00', null],
  ['2026-13-25T09:30:00Z', null],
  ['09:30', 'time'],
  ['Invoice 2026-11-25', null],
  [null, null],
])('%j is shown as %s', (value, type) => {
  expect(factType(value)).toBe(type);
});
