import { ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;

/** The separator that the first lines speak for: the one that occurs most outside quotes in the first line. */
export function separatorOf(text: string): string {
  const line = (text.split(/\r\n|\r|\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  return SEPARATORS.toSorted((a, b) => line.split(b).length - line.split(a).length)[0] ?? ',';
}

/**
 * Reads CSV (RFC 4180, any of the usual separators and line ends). Empty lines are left out.
 * @throws ToolInputError when a quote is never closed or there are more than `maxRows` rows
 */
export function parseCsv(text: string, separator: string, maxRows: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const endRow = () => {
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
    if (rows.length > maxRows) throw new ToolInputError(`The table has more than ${maxRows} rows.`);
  };
  while (at < text.length) {
    if (text.charAt(at) === '"') {
      let field = '';
      const opened = at;
      for (at += 1; ; at += 1) {
        const quote = text.indexOf('"', at);
        if (quote === -1) throw new ToolInputError(`The quote opened at character ${opened + 1} is never closed.`);
        field += text.slice(at, quote);
        at = quote + 1;
        if (text.charAt(at) !== '"') break;
        field += '"';
      }
      row.push(field);
    } else {
      let end = at;
      while (end < text.length && text.charAt(end) !== separator && text.charAt(end) !== '\n' && text.charAt(end) !== '\r') end += 1;
      row.push(text.slice(at, end));
      at = end;
    }
    if (text.charAt(at) === separator) {
      at += 1;
      if (at === text.length || text.charAt(at) === '\n' || text.charAt(at) === '\r') row.push('');
      else continue;
    }
    while (at < text.length && text.charAt(at) !== '\n' && text.charAt(at) !== '\r') at += 1;
    if (text.charAt(at) === '\r' && text.charAt(at + 1) === '\n') at += 1;
    at += 1;
    endRow();
  }
  if (row.length > 0) endRow();
  return rows;
}
