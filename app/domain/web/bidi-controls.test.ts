import { expect, test } from 'vitest';
import { inSentence, stripBidiControls } from '#app/domain/web/bidi-controls.ts';

const TRICK = 'pay \u202E\u2066001\u2069\u202C to\u200B Bob';

test('a text in a sentence of ours turns nothing, and is written in any script as before', () => {
  expect(stripBidiControls(TRICK)).toBe('pay 001 to\u200B Bob');
  for (const text of ['شركة\u200Cها', 'א\u200Fב (x)', '👩\u200D💻', 'Ada']) expect(stripBidiControls(text)).toBe(text);
});

test('what nobody would see in it is spelled out, and what a date, an amount or an emoji is written with stays', () => {
  expect(inSentence(`${TRICK}\u{e0041}\u00AD`)).toBe('pay 001 to\\u{200b} Bob\\u{e0041}\\u{ad}');
  for (const text of ['شركة\u200Cها', '\u200F-12 US$\u200E', '👩\u200D💻 ❤\uFE0F', 'two\nlines\tand more', 'e\u0301'])
    expect(inSentence(text)).toBe(text);
});
