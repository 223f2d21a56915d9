import fc from 'fast-check';
import { expect, it } from 'vitest';
import { diffLines } from '#app/components/value/diff-lines.ts';

const shown = (before: string, after: string) =>
  diffLines(before, after).map(({ change, text }) => `${change === 'same' ? ' ' : change === 'added' ? '+' : '-'}${text}`);

it('tells the lines that changed and leaves the others', () => {
  expect(shown('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([' a', '-b', '+x', ' c', '+d']);
  expect(shown('', 'a\n')).toEqual(['+a']);
  expect(shown('a', 'a\n')).toEqual([' a']);
});

it('gives both texts back, with the number of every line, for any two texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = diffLines(before, after);
      const left = lines.flatMap((line) => (line.change === 'added' ? [] : [[line.before, line.text]]));
      const right = lines.flatMap((line) => (line.change === 'removed' ? [] : [[line.after, line.text]]));
      const numbered = (whole: string) =>
        whole
          .split('\n')
          .slice(0, -1)
          .map((line, index) => [index + 1, line]);
      expect(left).toEqual(numbered(before));
      expect(right).toEqual(numbered(after));
      if (before === after) expect(lines.every(({ change }) => change === 'same')).toBe(true);
    }),
  );
});

it('shows two very long texts as replaced rather than holding their table', () => {
  const long = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word}${index}`).join('\n');
  expect(diffLines(long('a'), long('b'))).toHaveLength(6_000);
});
