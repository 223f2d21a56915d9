import { describe, expect, it, test } from 'vitest';
import { ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { parseCsv, separatorOf } from '#app/engine/mcp/builtin-tools/csv.ts';

describe('reading a table', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\uFEFFa;"b;""c"""\r\n\r\n1;',
      [
        ['a', 'b;"c"'],
        ['1', ''],
      ],
      ';',
    ],
    [
      'a,b\r1,"two\nlines"\r\n3,4\n',
      [
        ['a', 'b'],
        ['1', 'two\nlines'],
        ['3', '4'],
      ],
    ],
    ['a,b\n1\n1,2,3', [['a', 'b'], ['1'], ['1', '2', '3']]],
    ['a\n5" pipe\n', [['a'], ['5" pipe']]],
    ['', []],
  ])('%j', (text, rows, separator = ',') => {
    expect(parseCsv(text, separator, 10)).toEqual(rows);
  });

  it('refuses a quote that is never closed, and says in which row', () => {
    expect(() => parseCsv('a\n"b\nc\n', ',', 10)).toThrow(new ToolInputError('A quote opened in row 2 is never closed.'));
  });

  it('refuses more rows than it may read', () => {
    expect(parseCsv('a\n'.repeat(10), ',', 10)).toHaveLength(10);
    expect(() => parseCsv('a\n'.repeat(11), ',', 10)).toThrow('The table has more than 10 rows.');
  });

  it.each(['"', 'a"', ',', '\n', '""', 'a,"b"\n'])('reads long runs of %j in bounded time', (unit) => {
    const from = performance.now();
    try {
      parseCsv(unit.repeat(3_000_000 / unit.length), ',', 50_000);
    } catch (error) {
      expect(error).toBeInstanceOf(ToolInputError);
    }
    expect(performance.now() - from).toBeLessThan(20_000);
  });
});

test('the separator is the one that the first line has most of', () => {
  expect(separatorOf('a;b;"c,d,e,f"\n1,2,3,4,5')).toBe(';');
  expect(separatorOf('a')).toBe(',');
});
