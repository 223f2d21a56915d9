import { once } from 'node:events';
import { createInflateRaw } from 'node:zlib';
import { READING_LIMITS, ReadRefused } from '#app/engine/documents/reading/reading-limits.ts';

type Entry = { name: string; method: number; encrypted: boolean; packed: number; at: number };

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
/** More at once, and an entry would be inflated far beyond its limit before that is noticed. */
const FEED_BYTES = 16_384;

/**
 * Inflates each entry as a stream, counts, and throws the bytes away, before anything else opens the archive: what it says of its own sizes counts
 * for nothing. Returns the names of the entries. @throws ReadRefused for more than an honest document holds, macros, encryption, archives in it.
 */
export async function guardZip(content: Uint8Array): Promise<string[]> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const entries = entriesOf(bytes);
  let left = READING_LIMITS.zipBytes;
  let end = 0;
  for (const entry of [...entries].sort((a, b) => a.at - b.at)) {
    if (entry.encrypted) throw new ReadRefused('readEncrypted');
    if (/vbaProject\.bin$|vbaData\.xml$/i.test(entry.name)) throw new ReadRefused('readMacros');
    const data = packedOf(bytes, entry);
    // parts that lie over one another are how a small file holds endless ones
    if (entry.at < end) throw new ReadRefused('readBroken');
    end = data.byteOffset - bytes.byteOffset + data.length;
    const { size, start } = await inflated(data, entry.method, Math.min(READING_LIMITS.entryBytes, left));
    left -= size;
    if (isArchive(start)) throw new ReadRefused('readNested');
    if (entry.name === '[Content_Types].xml' && /macroEnabled/i.test(start.toString('latin1'))) throw new ReadRefused('readMacros');
  }
  return entries.map(({ name }) => name);
}

function entriesOf(bytes: Buffer): Entry[] {
  const last = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (last === -1 || last + 22 > bytes.length || bytes.readUInt32LE(last) !== END) throw new ReadRefused('readBroken');
  const count = bytes.readUInt16LE(last + 10);
  // 0xFFFF: of an archive beyond 4 GB, which a file of 10 MB is not
  if (count > READING_LIMITS.entries) throw new ReadRefused('readTooManyEntries', { limit: READING_LIMITS.entries });
  const entries: Entry[] = [];
  let at = bytes.readUInt32LE(last + 16);
  for (let n = 0; n < count; n += 1) {
    if (at + 46 > last || bytes.readUInt32LE(at) !== CENTRAL) throw new ReadRefused('readBroken');
    const nameLength = bytes.readUInt16LE(at + 28);
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      encrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      packed: bytes.readUInt32LE(at + 20),
      at: bytes.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function packedOf(bytes: Buffer, { at, packed }: Entry): Buffer {
  if (at + 30 > bytes.length || bytes.readUInt32LE(at) !== LOCAL) throw new ReadRefused('readBroken');
  const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28);
  if (from + packed > bytes.length) throw new ReadRefused('readBroken');
  return bytes.subarray(from, from + packed);
}

/** The size of an entry, and its beginning. */
async function inflated(data: Buffer, method: number, limit: number): Promise<{ size: number; start: Buffer }> {
  const tooMuch = () => new ReadRefused('readTooLargeInside', { limit: Math.round(READING_LIMITS.entryBytes / 1_000_000) });
  if (method === 0) {
    if (data.length > limit) throw tooMuch();
    return { size: data.length, start: data.subarray(0, 65_536) };
  }
  if (method !== 8) throw new ReadRefused('readBroken');
  const inflate = createInflateRaw();
  let size = 0;
  let start = Buffer.alloc(0);
  inflate.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (start.length < 65_536) start = Buffer.concat([start, chunk]);
    if (size > limit) inflate.destroy(tooMuch());
  });
  try {
    const ended = once(inflate, 'end');
    ended.catch(() => undefined);
    for (let at = 0; at < data.length; at += FEED_BYTES)
      if (!inflate.write(data.subarray(at, at + FEED_BYTES))) await Promise.race([once(inflate, 'drain'), ended]);
    inflate.end();
    await ended;
  } catch (error) {
    throw error instanceof ReadRefused ? error : new ReadRefused('readBroken');
  }
  return { size, start };
}

const ARCHIVES = ['504b0304', '504b0506', '377abcaf', '52617221', '1f8b08', 'd0cf11e0'];
export const isArchive = (bytes: Buffer): boolean =>
  ARCHIVES.some((magic) => bytes.subarray(0, magic.length / 2).toString('hex') === magic);
