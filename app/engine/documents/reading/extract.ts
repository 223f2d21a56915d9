import { parse as parseCsv } from 'csv-parse/sync';
import { streamXlsxRows } from 'hucre/xlsx';
import mammoth from 'mammoth';
import { getDocumentProxy } from 'unpdf';
import type { Json } from '#app/contracts/json.ts';
import { kindOf, textOf } from '#app/engine/documents/reading/file-kind.ts';
import { imageSize } from '#app/engine/documents/reading/image-size.ts';
import { READING_LIMITS, type ReadContent, type ReadJob, ReadRefused } from '#app/engine/documents/reading/reading-limits.ts';

/** The text, the rows or the size of a file, by the kind that its content has. @throws ReadRefused */
export async function extract({ name, content }: ReadJob): Promise<ReadContent> {
  const kind = await kindOf(name, content);
  switch (kind) {
    case 'image':
      return { kind, ...imageSize(content), cut: null };
    case 'text':
      return { kind, ...cutText(textOf(content) ?? ''), pages: null };
    case 'csv':
      return { kind, sheet: null, ...tableOf(csvRows(textOf(content) ?? '')) };
    case 'docx':
      return { kind, ...cutText(await docxText(content)), pages: null };
    case 'xlsx':
      return { kind, ...(await xlsxTable(content)) };
    case 'pdf':
      return { kind, ...(await pdfText(content)) };
  }
}

/** Signs that no value may hold. */
const UNSTORABLE = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const storable = (text: string) => text.replace(UNSTORABLE, '\uFFFD');

function cutText(text: string) {
  const whole = storable(text);
  let kept = whole.slice(0, READING_LIMITS.characters);
  // signs that JSON escapes take more room than they are
  while (JSON.stringify(kept).length > READING_LIMITS.characters) kept = kept.slice(0, Math.floor(kept.length * 0.9));
  kept = storable(kept);
  return { text: kept, cut: kept.length < whole.length ? { kept: kept.length, of: whole.length } : null };
}

async function pdfText(content: Uint8Array) {
  const pdf = await getDocumentProxy(new Uint8Array(content), { verbosity: 0 }).catch((error: unknown) => {
    throw new ReadRefused(error instanceof Error && error.name === 'PasswordException' ? 'readEncrypted' : 'readBroken');
  });
  if (pdf.numPages > READING_LIMITS.pages) throw new ReadRefused('readTooManyPages', { pages: pdf.numPages, limit: READING_LIMITS.pages });
  const { info } = await pdf.getMetadata();
  if ((info as { EncryptFilterName?: unknown }).EncryptFilterName != null) throw new ReadRefused('readEncrypted');
  const pages: string[] = [];
  // one by one, each let go of: all together, 2,000 pages took 300 MB
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''));
    page.cleanup();
  }
  return { ...cutText(pages.join('\n\n')), pages: pdf.numPages };
}

async function docxText(content: Uint8Array): Promise<string> {
  try {
    return (await mammoth.extractRawText({ buffer: Buffer.from(content) })).value.replace(/\n{3,}/g, '\n\n').trim();
  } catch {
    throw new ReadRefused('readBroken');
  }
}

function csvRows(text: string): Json[][] {
  const [line = ''] = text.replace(/^\uFEFF/, '').split(/\r?\n/, 1);
  const delimiter = [',', ';', '\t', '|'].reduce((best, sign) => (line.split(sign).length > line.split(best).length ? sign : best));
  try {
    return parseCsv(text, { bom: true, delimiter, relax_column_count: true, skip_empty_lines: true, to: READING_LIMITS.rows + 2 });
  } catch {
    throw new ReadRefused('readBroken');
  }
}

async function xlsxTable(content: Uint8Array) {
  const rows: Json[][] = [];
  try {
    for await (const { values } of streamXlsxRows(content, { maxRows: READING_LIMITS.rows + 2 })) {
      rows.push(values.map((value) => plainCell(value)));
      if (rows.length > READING_LIMITS.rows + 1) break;
    }
  } catch (error) {
    throw error instanceof ReadRefused ? error : new ReadRefused('readBroken');
  }
  return { sheet: null, ...tableOf(rows.filter((row) => row.some((value) => value !== null && value !== ''))) };
}

/** A formula is the value that is stored with it. */
function plainCell(value: unknown): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

/** Rows by the first one's names; a column without a name, or with that of another, is called by its place. */
function tableOf([head = [], ...rows]: Json[][]) {
  if (rows.length > READING_LIMITS.rows) throw new ReadRefused('readTooManyRows', { limit: READING_LIMITS.rows });
  const width = rows.reduce((most, row) => Math.max(most, row.length), head.length);
  if (width > READING_LIMITS.columns) throw new ReadRefused('readTooManyColumns', { limit: READING_LIMITS.columns });
  const columns: string[] = [];
  for (let at = 0; at < width; at += 1) {
    const name = storable(String(head[at] ?? ''))
      .trim()
      .slice(0, 120);
    columns.push(name === '' || columns.includes(name) ? `column_${at + 1}` : name);
  }
  let room = READING_LIMITS.characters - JSON.stringify(columns).length;
  const kept: { [column: string]: Json }[] = [];
  for (const row of rows) {
    const cells = columns.map((name, at): [string, Json] => {
      const cell = row[at] ?? null;
      return [name, typeof cell === 'string' ? storable(cell) : cell];
    });
    const named = Object.fromEntries(cells);
    room -= JSON.stringify(named).length + 1;
    if (room < 0) break;
    kept.push(named);
  }
  return { columns, rows: kept, cut: kept.length < rows.length ? { kept: kept.length, of: rows.length } : null };
}
