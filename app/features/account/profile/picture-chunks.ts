/** PNG and WebP, which are rows of chunks with a name and a length. */
export type Cleaned = { width: number; height: number; content: Uint8Array };

/** PNG, chapter 11: what draws the first picture, and its colours. Texts, times, Exif and further pictures are left out. */
const PNG_PARTS = new Set(['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'bKGD', 'pHYs']);
/** RFC 9649, section 2.7, without EXIF, XMP and what is unknown. */
const WEBP_PARTS = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Flags of VP8X that say that there is Exif or XMP. */
const WEBP_NOTES = 0x0c;
const PNG_HEAD = 8;
const PNG_FRAME = 12;
const RIFF_HEAD = 12;
const RIFF_FRAME = 8;

/** Null: no whole PNG, from its signature through IHDR and IDAT to IEND. */
export function cleanPng(view: DataView): Cleaned | null {
  if (view.byteLength < 33 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a || nameAt(view, 12) !== 'IHDR')
    return null;
  const kept = [part(view, 0, PNG_HEAD)];
  let drawn = false;
  for (let at = PNG_HEAD; at + PNG_FRAME <= view.byteLength; ) {
    const name = nameAt(view, at + 4);
    const length = PNG_FRAME + view.getUint32(at);
    if (at + length > view.byteLength) return null;
    if (PNG_PARTS.has(name)) kept.push(part(view, at, length));
    drawn ||= name === 'IDAT';
    at += length;
    if (name === 'IEND') return drawn ? { width: view.getUint32(16), height: view.getUint32(20), content: joined(kept) } : null;
  }
  return null;
}

/** Null: no whole WebP, as long as it says it is. */
export function cleanWebp(view: DataView): Cleaned | null {
  if (view.byteLength < 30 || nameAt(view, 0) !== 'RIFF' || nameAt(view, 8) !== 'WEBP') return null;
  const size = webpSize(view);
  const end = RIFF_FRAME + view.getUint32(4, true);
  if (size === null || end > view.byteLength) return null;
  const kept: Uint8Array[] = [];
  let drawn = false;
  for (let at = RIFF_HEAD; at < end; ) {
    if (at + RIFF_FRAME > end) return null;
    const name = nameAt(view, at);
    const length = view.getUint32(at + 4, true);
    const padded = RIFF_FRAME + length + (length % 2);
    if (at + RIFF_FRAME + length > end) return null;
    if (WEBP_PARTS.has(name)) kept.push(name === 'VP8X' ? withoutNotes(part(view, at, padded)) : part(view, at, padded));
    drawn ||= name === 'VP8 ' || name === 'VP8L' || name === 'ANMF';
    at += padded;
  }
  if (!drawn) return null;
  const body = joined(kept);
  const head = part(view, 0, RIFF_HEAD).slice();
  new DataView(head.buffer).setUint32(4, body.length + 4, true);
  return { ...size, content: joined([head, body]) };
}

/** Of the first chunk, which is one of three kinds. */
function webpSize(view: DataView): { width: number; height: number } | null {
  const kind = nameAt(view, 12);
  if (kind === 'VP8X') return { width: 1 + uint24(view, 24), height: 1 + uint24(view, 27) };
  if (kind === 'VP8L' && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (kind === 'VP8 ' && uint24(view, 23) === 0x2a019d)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  return null;
}

function withoutNotes(chunk: Uint8Array): Uint8Array {
  return chunk.map((byte, at) => (at === RIFF_FRAME ? byte & ~WEBP_NOTES : byte));
}

function nameAt(view: DataView, at: number): string {
  return String.fromCharCode(...part(view, at, 4));
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}

/** A window on the bytes, not past their end. */
export function part(view: DataView, at: number, length: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + at, Math.min(length, view.byteLength - at));
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const one of parts) {
    whole.set(one, at);
    at += one.length;
  }
  return whole;
}
