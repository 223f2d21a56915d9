import { expect, test } from 'vitest';
import { amountAsSearched, readSearchWords } from '#app/domain/web/search-words.ts';

test.each([
  [null, '', false],
  ['  Records   request ', 'Records request', false],
  ['a\0b\u0007c', 'a b c', false],
  ['100 % of_all\\', '100 % of_all\\', false],
  ['half \ud83d', 'half', false],
  ['سجل التدقيق', 'سجل التدقيق', false],
  ['x'.repeat(101), 'x'.repeat(100), true],
])('%j is searched for as %j', (typed, words, cut) => {
  expect(readSearchWords(typed)).toEqual({ words, cut });
});

test('50 KB are read at once', () => {
  const started = performance.now();
  expect(readSearchWords(`${' a!'.repeat(17_000)}!`).cut).toBe(true);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each([
  ['€9,900.00', '9,900'],
  ['1.250,50 €', '1.250,5'],
  ['1 250,50', '1 250,5'],
  ['9.900', '9.900'],
  ['7.05', '7.05'],
  ['invoice 4711.00', 'invoice 4711.00'],
  ['#1042', '#1042'],
])('an amount that is shown as %j is searched as %j', (shown, searched) => {
  expect(amountAsSearched(shown)).toBe(searched);
});
