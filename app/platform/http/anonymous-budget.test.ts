import { expect, test } from 'vitest';
import { createAnonymousBudget } from '#app/platform/http/anonymous-budget.ts';

const MB = 1_048_576;

test('an address that has spent its bytes waits as long as it is told, and nobody else does', () => {
  let now = 0;
  const budget = createAnonymousBudget(() => now);
  expect(budget.begin('192.0.2.1')).toBe(0);
  budget.spend('192.0.2.1', 20 * MB);
  const wait = budget.begin('192.0.2.1');
  expect(wait).toBeGreaterThan(14);
  expect(budget.begin('192.0.2.2')).toBe(0);
  now = (wait - 1) * 1_000;
  expect(budget.begin('192.0.2.1')).toBe(1);
  now = wait * 1_000;
  expect(budget.begin('192.0.2.1')).toBe(0);
});

test('requests cost something without any bytes, and one household of IPv6 is one address', () => {
  const budget = createAnonymousBudget(() => 0);
  let taken = 0;
  while (budget.begin(`2001:db8::${(taken % 5) + 1}`) === 0) taken += 1;
  expect(taken).toBe(2_048);
});

test('debts end: a flood shuts its address out for two minutes at most', () => {
  const budget = createAnonymousBudget(() => 0);
  budget.spend('192.0.2.1', 10_000 * MB);
  expect(budget.begin('192.0.2.1')).toBeLessThanOrEqual(61);
});
