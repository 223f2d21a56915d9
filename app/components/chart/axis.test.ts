import { expect, test } from 'vitest';
import { axisTicks, shownLabels } from '#app/components/chart/axis.ts';

test.each([
  [0, false, [0, 1]],
  [7, true, [0, 2, 4, 6, 8]],
  [3, true, [0, 1, 2, 3]],
  [1, true, [0, 1]],
  [10, true, [0, 3, 6, 9, 12]],
  [100, false, [0, 25, 50, 75, 100]],
  [0.3, false, [0, 0.1, 0.2, 0.3]],
  [1_234, false, [0, 500, 1_000, 1_500]],
])('up to %d (whole: %s) the axis has %j', (highest, whole, ticks) => {
  expect(axisTicks(highest, whole)).toEqual(ticks);
});

test('the last label always stands, and no more than asked for', () => {
  expect([...shownLabels(3, 6)].sort()).toEqual([0, 1, 2]);
  expect([...shownLabels(30, 6)].sort((a, b) => a - b)).toEqual([4, 9, 14, 19, 24, 29]);
  expect(shownLabels(1, 6)).toEqual(new Set([0]));
});
