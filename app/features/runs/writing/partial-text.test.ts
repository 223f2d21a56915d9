import { expect, test } from 'vitest';
import { furtherTexts } from '#app/features/runs/writing/partial-text.ts';

const text = (begun: number, chars: number) => ({ path: 'a', name: 'A', begun, chars, text: 'x'.repeat(chars) });

test('a text never goes back by what was read before it, and a new attempt takes its place', () => {
  expect(furtherTexts([text(1, 5)], [text(1, 9)])).toEqual([text(1, 9)]);
  expect(furtherTexts([text(1, 9)], [text(1, 5)])).toEqual([text(1, 9)]);
  expect(furtherTexts([text(2, 3)], [text(1, 9)])).toEqual([text(2, 3)]);
  expect(furtherTexts([text(1, 9)], [text(2, 1)])).toEqual([text(2, 1)]);
  expect(furtherTexts([], [text(1, 9)])).toEqual([]);
});
