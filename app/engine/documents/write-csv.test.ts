import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeCsv } from '#app/engine/documents/write-csv.ts';

test('is what a spreadsheet reads', () => {
  expect(
    writeCsv(
      ['name', 'runs'],
      [
        ['Zoë "Z", Ltd', 3],
        ['one\ntwo', null],
        ['', -1.5],
      ],
    ),
  ).toBe('\uFEFFname,runs\r\n"Zoë ""Z"", Ltd",3\r\n"one\ntwo",\r\n,-1.5\r\n');
});

test('no text begins as a formula does, whatever someone calls a workflow', () => {
  for (const name of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1']) {
    const [, line = ''] = writeCsv(['name'], [[name]]).split('\r\n');
    expect(line.replace(/^"/, '')).toMatch(/^'/);
  }
  fc.assert(
    fc.property(fc.string(), (name) => {
      const cell = writeCsv([], [[name]]).slice('\uFEFF\r\n'.length);
      expect(cell.replace(/^"/, '')).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});
