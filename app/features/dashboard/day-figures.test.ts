import { expect, test } from 'vitest';
import { compareWeeks, DAY_FIGURES, NO_RUNS, sumOf } from '#app/features/dashboard/day-figures.ts';

const whole = (value: number) => value.toFixed(0);

test.each([
  [20, 8, { way: 'more', by: 12 }],
  [8, 20, { way: 'less', by: 12 }],
  [8.2, 8.4, { way: 'same' }],
  [null, 8, { way: 'none' }],
  [8, null, { way: 'none' }],
])('%s after %s is %j', (now, before, expected) => {
  expect(compareWeeks(now, before, whole)).toEqual(expected);
});

test('a week is the sum of its days, and its rates are those of the sum', () => {
  const day = { ...NO_RUNS, started: 4, completed: 3, failed: 1, activeMs: 900, costMicros: 50 };
  const week = sumOf([day, { ...day, completed: 1, failed: 0, cancelled: 2, activeMs: 100 }]);
  expect(week).toEqual({ started: 8, completed: 4, failed: 1, cancelled: 2, activeMs: 1_000, costMicros: 100 });
  expect(DAY_FIGURES.success(week)).toBe(0.8);
  expect(DAY_FIGURES.active(week)).toBe(250);
});

test('where nothing ended there is no rate and no time', () => {
  expect(DAY_FIGURES.success(NO_RUNS)).toBeNull();
  expect(DAY_FIGURES.active(NO_RUNS)).toBeNull();
  expect(DAY_FIGURES.runs(NO_RUNS)).toBe(0);
});
