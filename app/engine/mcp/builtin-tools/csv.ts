import { CsvError, parse } from 'csv-parse/sync';
import { ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** The separator that occurs most outside quotes in the first line. */
export function separatorOf(text: string): string {
  const line = (text.split(/\r\n|\r|\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  return SEPARATORS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0] ?? ',';
}

/**
 * Reads CSV (RFC 4180, any of the usual separators and line ends). Empty lines are left out; a row may have more or fewer fields
 * than the others, and a quote inside a field is part of it.
 * @throws ToolInputError when a quote is never closed or there are more than `maxRows` rows
 */
export function parseCsv(text: string, separator: string, maxRows: number): string[][] {
  const rows = readRows(text, separator, maxRows + 1);
  if (rows.length > maxRows) throw new ToolInputError(`The table has more than ${maxRows} rows.`);
  return rows;
}

function readRows(text: string, delimiter: string, to: number): string[][] {
  try {
    return parse(text, {
      delimiter,
      to,
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
    });
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new ToolInputError(`A quote opened in row ${Number(error.records) + 1} is never closed.`);
    throw error;
  }
}
