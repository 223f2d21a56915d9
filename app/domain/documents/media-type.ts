/** Endings of names by the media type that is served for them. */
const BY_ENDING: Readonly<Record<string, string>> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv; charset=utf-8',
};

const MAGIC: readonly [start: string, mediaType: string][] = [
  ['%PDF-', 'application/pdf'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
];

/**
 * The media type of a file that runs take, by its first bytes; the name only tells one document of Office, or a table, from another. Null: it is
 * of no kind that is taken, or its name claims another. What is inside is for the process that reads documents to say.
 */
export function mediaTypeOf(name: string, content: Uint8Array): string | null {
  const start = String.fromCharCode(...content.subarray(0, 16));
  const ending = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const found = MAGIC.find(([magic]) => start.startsWith(magic))?.[1] ?? null;
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'image/webp';
  if (start.startsWith('PK\x03\x04')) return ending === 'docx' || ending === 'xlsx' ? (BY_ENDING[ending] ?? null) : null;
  if (found !== null) return found;
  if (['pdf', 'docx', 'xlsx', 'png', 'jpg', 'jpeg', 'gif', 'webp'].includes(ending) || !isText(content)) return null;
  return ending === 'csv' ? 'text/csv; charset=utf-8' : 'text/plain; charset=utf-8';
}

function isText(content: Uint8Array): boolean {
  const label = content[0] === 0xff && content[1] === 0xfe ? 'utf-16le' : content[0] === 0xfe && content[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return !new TextDecoder(label, { fatal: true }).decode(content).includes('\0');
  } catch {
    return false;
  }
}
