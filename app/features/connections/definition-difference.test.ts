import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf } from '#app/features/connections/definition-difference.ts';

describe('differenceOf', () => {
  it('shows what went and what came, with the lines around', () => {
    expect(differenceOf('a\nb\nc', 'a\nx\nc')).toEqual([
      { kind: 'same', text: 'a' },
      { kind: 'gone', text: 'b' },
      { kind: 'new', text: 'x' },
      { kind: 'same', text: 'c' },
    ]);
    expect(differenceOf('a', 'a')).toEqual([]);
  });

  it('leaves out what lies far from a change', () => {
    const lines = Array.from({ length: 40 }, (_, index) => String(index));
    const difference = differenceOf(lines.join('\n'), [...lines, 'more'].join('\n'));
    expect(difference[0]).toEqual({ kind: 'same', text: '…' });
    expect(difference.at(-1)).toEqual({ kind: 'new', text: 'more' });
    expect(difference.length).toBe(5);
  });

  it('loses no changed line', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 12 }), (before, after) => {
        const difference = differenceOf(before.join('\n'), after.join('\n'));
        const net = (kind: 'gone' | 'new') => difference.filter((entry) => entry.kind === kind).map((entry) => entry.text);
        const changed = before.join('\n') !== after.join('\n');
        const count = (lines: readonly string[], text: string) => (changed ? lines.filter((entry) => entry === text).length : 0);
        for (const text of ['a', 'b', 'c', 'd']) {
          const lost = net('gone').filter((entry) => entry === text).length;
          const come = net('new').filter((entry) => entry === text).length;
          expect(come - lost).toBe(count(after, text) - count(before, text));
        }
      }),
    );
  });
});
