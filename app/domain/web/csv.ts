/** A value of a table that leaves as CSV. */
export type CsvValue = string | number | null;

/**
 * RFC 4180 with a byte order mark, without which a spreadsheet takes UTF-8 for something else. A text that a spreadsheet would
 * take for a formula gets an apostrophe before it (OWASP, CSV injection); numbers of ours stay numbers.
 */
export function writeCsv(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(cell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}

function cell(value: CsvValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  // Also behind white space, which some spreadsheets cut before they look; and full-width forms, which some read as the others.
  const text = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/u.test(value) ? `'${value}` : value;
  return /[",\r\n;\t']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
