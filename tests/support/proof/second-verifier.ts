/**
 * A second reader of logs, written from RFC 9162 section 2.1, c2sp.org/tlog-checkpoint, tlog-cosignature and tlog-tiles alone: by their
 * definitions, as slow as they are, and without a line of the product.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
export const leafOf = (entry: Uint8Array) => sha256(Buffer.from([0]), entry);
const nodeOf = (left: Uint8Array, right: Uint8Array) => sha256(Buffer.from([1]), left, right);

/** "the largest power of two smaller than n" */
const split = (n: number) => 2 ** Math.ceil(Math.log2(n) - 1);

/** MTH(D[n]) over leaf hashes (section 2.1.1). */
export function treeHash(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return Buffer.from(leaves[0] as Uint8Array);
  const k = split(leaves.length);
  return nodeOf(treeHash(leaves.slice(0, k)), treeHash(leaves.slice(k)));
}

/** PATH(m, D[n]) (section 2.1.3.1). */
export function path(m: number, leaves: readonly Uint8Array[]): Buffer[] {
  if (leaves.length === 1) return [];
  const k = split(leaves.length);
  return m < k
    ? [...path(m, leaves.slice(0, k)), treeHash(leaves.slice(k))]
    : [...path(m - k, leaves.slice(k)), treeHash(leaves.slice(0, k))];
}

/** PROOF(m, D[n]) = SUBPROOF(m, D[n], true) (section 2.1.4.1). */
export function proof(m: number, leaves: readonly Uint8Array[]): Buffer[] {
  return m === 0 ? [] : subproof(m, leaves, true);
}
function subproof(m: number, leaves: readonly Uint8Array[], whole: boolean): Buffer[] {
  const n = leaves.length;
  if (m === n) return whole ? [] : [treeHash(leaves)];
  const k = split(n);
  return m <= k
    ? [...subproof(m, leaves.slice(0, k), whole), treeHash(leaves.slice(k))]
    : [...subproof(m - k, leaves.slice(k), false), treeHash(leaves.slice(0, k))];
}

export type ReadNote = { text: string; origin: string; size: number; root: Buffer; lines: { name: string; bytes: Buffer }[] };

/** A signed note: a text, an empty line, and lines of an em dash, a name and base64. */
export function readNote(note: string): ReadNote {
  const end = note.indexOf('\n\n');
  const text = note.slice(0, end + 1);
  const [origin = '', size = '', root = ''] = text.split('\n');
  const lines = note
    .slice(end + 2)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [dash, name = '', encoded = ''] = line.split(' ');
      if (dash !== '\u2014') throw new Error(`no signature line: ${line}`);
      return { name, bytes: Buffer.from(encoded, 'base64') };
    });
  return { text, origin, size: Number(size), root: Buffer.from(root, 'base64'), lines };
}

/** Whether a verifier key (of a log or of a witness) has signed a note; of a witness the seconds that it names. False: it has not. */
export function signedBy(note: ReadNote, vkey: string): number | boolean {
  const [name = '', id = '', ...rest] = vkey.split('+');
  const encoded = Buffer.from(rest.join('+'), 'base64');
  if (
    sha256(Buffer.from(`${name}\n`), encoded)
      .toString('hex')
      .slice(0, 8) !== id
  )
    throw new Error('the id is not of the key');
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: encoded.subarray(1).toString('base64url') } });
  const line = note.lines.find(({ name: signer, bytes }) => signer === name && bytes.subarray(0, 4).toString('hex') === id);
  if (line === undefined) return false;
  if (encoded[0] === 1) return verify(null, Buffer.from(note.text), key, line.bytes.subarray(4));
  const time = line.bytes.readBigUInt64BE(4);
  const holds = verify(null, Buffer.from(`cosignature/v1\ntime ${time}\n${note.text}`), key, line.bytes.subarray(12));
  return holds && Number(time);
}

/** Reads a whole log by its tiles. `fetchTile`: the bytes at an address below that of the log; null: there is nothing. */
export async function readLog(
  fetchTile: (path: string) => Promise<Buffer | null>,
): Promise<{ note: ReadNote; leaves: Buffer[]; entries: Buffer[] }> {
  const wanted = async (at: string) => {
    const bytes = await fetchTile(at);
    if (bytes === null) throw new Error(`nothing at ${at}`);
    return bytes;
  };
  const note = readNote((await wanted('checkpoint')).toString('utf8'));
  const widths = (count: number) => Array.from({ length: Math.ceil(count / 256) }, (_, n) => Math.min(256, count - n * 256));
  const name = (n: number, width: number) => `${String(n).padStart(3, '0')}${width === 256 ? '' : `.p/${width}`}`;
  const hashesAt = async (level: number, count: number) => {
    const tiles = await Promise.all(widths(count).map((width, n) => wanted(`tile/${level}/${name(n, width)}`)));
    const bytes = Buffer.concat(tiles);
    return Array.from({ length: bytes.length / 32 }, (_, n) => bytes.subarray(n * 32, n * 32 + 32));
  };
  const leaves = await hashesAt(0, note.size);
  for (let level = 1, below = leaves; below.length >= 256; level++) {
    const above = await hashesAt(level, Math.floor(below.length / 256));
    above.forEach((hash, n) => {
      if (!hash.equals(treeHash(below.slice(n * 256, (n + 1) * 256)))) throw new Error(`tile ${level}/${n} is not over those below`);
    });
    below = above;
  }
  const entries: Buffer[] = [];
  for (const [n, width] of widths(note.size).entries()) {
    const bytes = await wanted(`tile/entries/${name(n, width)}`);
    for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at))
      entries.push(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
  }
  return { note, leaves, entries };
}
