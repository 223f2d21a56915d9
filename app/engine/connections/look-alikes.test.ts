import { expect, test } from 'vitest';
import { lookAlikes } from '#app/engine/connections/look-alikes.ts';

const named = (name: string, id = name) => ({ id, name, connection: 'A server' });

test.each([
  ['pay_invoice', 'p\u0430y_invoice'],
  ['read_file', 'read_fi1e'],
  ['list_l0gs', 'list_lOgs'],
  ['pay_invoice', 'pay\u200B_invoice'],
  ['Pay_Invoice', 'pay_invoice'],
])('%s and %s are taken for each other', (one, other) => {
  const alike = lookAlikes([named(one), named(other), named('something_else')]);
  expect(alike(named(one))).toEqual([named(other)]);
  expect(alike(named(other))).toEqual([named(one)]);
});

test('one name at two servers is no look-alike, nor are names that differ to the eye', () => {
  const alike = lookAlikes([named('search', '1'), named('search', '2'), named('search_all'), named('read_file'), named('readFile')]);
  expect(alike(named('search', '1'))).toEqual([]);
  expect(alike(named('read_file'))).toEqual([]);
});
