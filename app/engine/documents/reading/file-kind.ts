import { type FileKind, ReadRefused } from '#app/engine/documents/reading/reading-limits.ts';
import { guardZip, isArchive } from '#app/engine/documents/reading/zip-guard.ts';

/** Endings of names, and the kind that they claim. Others claim nothing. */
const CLAIMS: Readonly<Record<string, FileKind>> = {
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx',
  csv: 'csv',
  tsv: 'csv',
  txt: 'text',
  md: 'text',
  json: 'text',
  xml: 'text',
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
};

const IMAGES = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'];

/**
 * The kind of a file by its content. The name only tells a table from another text; a name that claims another kind than the content has is
 * refused, as are archives that hold no document. @throws ReadRefused
 */
export async function kindOf(name: string, content: Uint8Array): Promise<FileKind> {
  const found = await kindOfContent(content);
  const ending = /\.([^.]+)$/.exec(name)?.[1] ?? '';
  const claimed = CLAIMS[ending.toLowerCase()];
  if (found === 'text' && claimed === 'csv') return 'csv';
  if (claimed !== undefined && claimed !== found) throw new ReadRefused('readOtherKind', { claimed: ending.toUpperCase() });
  return found;
}

async function kindOfContent(content: Uint8Array): Promise<FileKind> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes.length === 0) throw new ReadRefused('readEmpty');
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return 'pdf';
  const magic = bytes.subarray(0, 12).toString('latin1');
  if (IMAGES.some((start) => magic.startsWith(start)) || (magic.startsWith('RIFF') && magic.endsWith('WEBP'))) return 'image';
  // Office encrypts a document by putting it into the container of its older formats
  if (magic.startsWith('\xd0\xcf\x11\xe0')) throw new ReadRefused('readEncryptedOrOld');
  if (magic.startsWith('PK')) {
    const names = await guardZip(content);
    if (names.includes('word/document.xml')) return 'docx';
    if (names.includes('xl/workbook.xml')) return 'xlsx';
    throw new ReadRefused('readUnknownKind');
  }
  if (isArchive(bytes) || textOf(content) === null) throw new ReadRefused('readUnknownKind');
  return 'text';
}

/** A text in UTF-8, or in UTF-16 with its mark; null: it is none. */
export function textOf(content: Uint8Array): string | null {
  const label = content[0] === 0xff && content[1] === 0xfe ? 'utf-16le' : content[0] === 0xfe && content[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    const text = new TextDecoder(label, { fatal: true }).decode(content);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
