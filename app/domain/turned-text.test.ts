import { expect, test } from 'vitest';
import { withoutTurns } from '#app/domain/turned-text.ts';

const TRICK = 'pay \u202E\u2066001\u2069\u202C to\u200B Bob';

test('a text in a sentence of ours turns nothing, and is written in any script as before', () => {
  expect(withoutTurns(TRICK)).toBe('pay 001 to\u200B Bob');
  for (const text of ['شركة\u200Cها', 'א\u200Fב (x)', '👩\u200D💻', 'Ada']) expect(withoutTurns(text)).toBe(text);
});
