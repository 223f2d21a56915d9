import { expect, test } from 'vitest';
import { latestTexts } from '#app/features/runs/writing/partial-text.ts';

const text = (begun: number, chars: number) => ({ path: 'a', name: 'A', begun, chars, text: 'x'.repeat(chars) });
const at = (time: number, ...texts: ReturnType<typeof text>[]) => ({ at: time, texts });

test('a text never goes back by what was read before it, and a new attempt takes its place', () => {
  expect(latestTexts(at(1, text(1, 5)), null)).toEqual([text(1, 5)]);
  expect(latestTexts(at(1, text(1, 5)), at(2, text(1, 9)))).toEqual([text(1, 9)]);
  expect(latestTexts(at(2, text(1, 5)), at(2, text(1, 9)))).toEqual([text(1, 9)]);
  expect(latestTexts(at(2, text(1, 9)), at(1, text(1, 5)))).toEqual([text(1, 9)]);
  expect(latestTexts(at(2, text(2, 3)), at(1, text(1, 9)))).toEqual([text(2, 3)]);
  expect(latestTexts(at(1, text(1, 9)), at(2, text(2, 1)))).toEqual([text(2, 1)]);
});

test('a text that came while an older reading of the page was on its way stays, and one that has ended goes', () => {
  expect(latestTexts(at(1), at(2, text(1, 4)))).toEqual([text(1, 4)]);
  expect(latestTexts(at(3), at(2, text(1, 4)))).toEqual([]);
});
