import { expect, test } from 'vitest';
import { readSort, sortUrl } from '#app/domain/web/table-sort.ts';

const COLUMNS = ['name', 'cost'] as const;
const BY_NAME = { by: 'name', descending: false } as const;

test.each([
  ['', BY_NAME],
  ['sort=cost', { by: 'cost', descending: false }],
  ['sort=-cost', { by: 'cost', descending: true }],
  ['sort=--cost', BY_NAME],
  ['sort=constructor', BY_NAME],
])('%s orders by %j', (query, sort) => {
  expect(readSort(new URLSearchParams(query), COLUMNS, BY_NAME)).toEqual(sort);
});

test('a header leads to the first page in its order, and turns it round the second time', () => {
  expect(sortUrl('/list?q=a%20b&page=3', 'cost', BY_NAME)).toBe('/list?q=a+b&sort=cost');
  expect(sortUrl('/list?sort=cost', 'cost', { by: 'cost', descending: false })).toBe('/list?sort=-cost');
  expect(sortUrl('/list?sort=-cost', 'cost', { by: 'cost', descending: true })).toBe('/list?sort=cost');
});
