import { expect, test } from 'vitest';
import { showHidden, withoutTurns } from '#app/domain/turned-text.ts';

const TRICK = 'pay \u202E\u2066001\u2069\u202C to\u200B Bob';

test('a text in a sentence of ours turns nothing, and is written in any script as before', () => {
  expect(withoutTurns(TRICK)).toBe('pay 001 to\u200B Bob');
  for (const text of ['شركة\u200Cها', 'א\u200Fב (x)', '👩\u200D💻', 'Ada']) expect(withoutTurns(text)).toBe(text);
});

test('JSON shows what hides in it, and is the same JSON', () => {
  const json = JSON.stringify({ amount: TRICK, mark: 'א\u200F', face: '👩\u200D💻' });
  expect(showHidden(json)).toContain('pay \\u202e\\u2066001\\u2069\\u202c to\\u200b Bob');
  expect(showHidden(json)).toContain('👩\u200D💻');
  expect(JSON.parse(showHidden(json))).toEqual(JSON.parse(json));
});
