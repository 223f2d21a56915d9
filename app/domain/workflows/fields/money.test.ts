import { expect, test } from 'vitest';
import { CURRENCIES, decimalsOf, isMoney, readAmount } from '#app/domain/workflows/fields/money.ts';

test.each([
  ['1234.5', 'EUR', 1234.5],
  ['1234,50', 'EUR', 1234.5],
  ['12 000,5', 'EUR', 12_000.5],
  ['12\u202f000', 'EUR', 12_000],
  ['12’000.50', 'CHF', 12_000.5],
  ['١٢٣٤٫٥', 'SAR', 1234.5],
  ['۱۲', 'IRR', 12],
  ['\u22127', 'USD', -7],
  ['-0.00', 'EUR', 0],
  ['1.234', 'KWD', 1.234],
  ['5.100', 'EUR', 5.1],
  ['999999999999', 'JPY', 999_999_999_999],
])('%s in %s is an amount', (text, currency, amount) => {
  expect(readAmount(text, currency)).toEqual({ amount });
});

test.each([
  ['1,234', 'EUR', 'shape'],
  ['1,234', 'KWD', 'shape'],
  ['1,234.50', 'EUR', 'shape'],
  ['1.234,50', 'EUR', 'shape'],
  ['1.234', 'EUR', 'decimals'],
  ['1.5', 'JPY', 'decimals'],
  ['12 EUR', 'EUR', 'shape'],
  ['1e3', 'EUR', 'shape'],
  ['--5', 'EUR', 'shape'],
  ['', 'EUR', 'shape'],
  ['1000000000000', 'EUR', 'tooBig'],
  ['-1000000000000', 'EUR', 'tooSmall'],
])('%s in %s is none: %s', (text, currency, fault) => {
  expect(readAmount(text, currency)).toEqual({ fault });
});

test('every currency can be shown, and has as many decimals as its smallest unit', () => {
  expect(new Set(CURRENCIES).size).toBe(CURRENCIES.length);
  for (const code of CURRENCIES) expect(new Intl.NumberFormat('en', { style: 'currency', currency: code }).format(1)).toContain('1');
  expect(['EUR', 'JPY', 'KWD'].map(decimalsOf)).toEqual([2, 0, 3]);
});

test.each([{ amount: 1 }, { amount: '1', currency: 'EUR' }, { amount: 1, currency: 'euro' }, null, 'EUR', []])(
  '%j is no money',
  (value) => {
    expect(isMoney(value)).toBe(false);
  },
);
