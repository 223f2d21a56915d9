import { stringify } from 'csv-stringify/sync';

/** A value of a table that leaves as CSV. */
export type CsvValue = string | number | null;

/** Also behind white space, which some spreadsheets cut before they look; and full-width forms, which some read as the others. */
const FORMULA = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u;

/**
 * RFC 4180 with a byte order mark, without which a spreadsheet takes UTF-8 for something else. A text that a spreadsheet would
 * take for a formula gets an apostrophe before it (OWASP, CSV injection); numbers of ours stay numbers, and what is none is empty.
 */
export function writeCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  return `\uFEFF${writeCsvRows([header, ...rows])}`;
}

/** Rows alone, for a file that is written part by part: a header stands once, and so does the byte order mark. */
export function writeCsvRows(rows: readonly (readonly CsvValue[])[]): string {
  return stringify([...rows], {
    record_delimiter: 'windows',
    // a spreadsheet may be set to other separators; and a lone line end ends a row for most
    quoted_match: /[;\t'\r\n]/,
    cast: {
      string: (text) => (FORMULA.test(text) ? `'${text}` : text),
      number: (value) => (Number.isFinite(value) ? String(value) : ''),
    },
  });
}

/**
 * A column of the file of a list: its name for machines, the same in every language, its value, and the key of the column of the list that
 * it goes with. Without a key it is always there.
 */
export type CsvColumn<Row> = readonly [name: string, value: (row: Row) => CsvValue, key?: string];

/** The rows of a list as CSV, without the columns that its reader has put away. */
export function writeListCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[], hidden: readonly string[]): string {
  const kept = columns.filter(([, , key]) => key === undefined || !hidden.includes(key));
  return writeCsv(
    kept.map(([name]) => name),
    rows.map((row) => kept.map(([, value]) => value(row))),
  );
}
