import { expect, test } from 'vitest';
import { valueCutter } from '#app/components/value/shown-value.ts';

const long = 'a'.repeat(20_000);

test('a long text is shown by its beginning, which never ends in half a character', () => {
  expect(valueCutter().text(long)).toEqual({ start: 'a'.repeat(4_000), bytes: 20_000, hides: false });
  const smiling = `${'a'.repeat(3_999)}😀${long}`;
  expect(valueCutter().text(smiling)).toMatchObject({ start: 'a'.repeat(3_999), bytes: 24_003 });
});

test('what is invisible behind the beginning is known all the same', () => {
  expect(valueCutter().text(`${long}\u200b`)).toMatchObject({ hides: true });
  expect(valueCutter().json({ text: `${long}\u{e0041}` })).toMatchObject({ hides: true });
});

test('many values of one page share what a page can bear, and short ones stay whole', () => {
  const { json } = valueCutter();
  const shown = Array.from({ length: 100 }, () => json('b'.repeat(15_000)));
  expect(JSON.stringify(shown).length).toBeLessThan(300_000);
  expect(shown[0]).toEqual({ whole: 'b'.repeat(15_000) });
  expect(shown.at(-1)).toMatchObject({ bytes: 15_002 });
  expect(json({ total: 3 })).toEqual({ whole: { total: 3 } });
});
