import { type Cleaned, joined, part } from '#app/features/account/profile/picture-chunks.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
/** Tag of TIFF that says which side of a photograph is up. */
const ORIENTATION = 0x0112;

/**
 * ITU T.81, annex B: markers with lengths, and behind each start of a scan the scan itself. Kept is what draws: comments and the segments of
 * applications go, but for JFIF, the colour profile, Adobe's colour transform, and of Exif which side is up. Null: no whole JPEG.
 */
export function cleanJpeg(view: DataView): Cleaned | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xff00 + START) return null;
  const kept = [part(view, 0, 2)];
  let size: { width: number; height: number } | null = null;
  let drawn = false;
  let at = 2;
  while (at + 2 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // a fill byte
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === END) return size === null || !drawn ? null : { ...size, content: joined([...kept, part(view, at, 2)]) };
    if (at + 4 > view.byteLength) return null;
    const length = 2 + view.getUint16(at + 2);
    if (length < 4 || at + length > view.byteLength) return null;
    if (isFrame(marker)) {
      if (length < 10) return null;
      size = { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    const end = marker === SCAN ? endOfScan(view, at + length) : at + length;
    if (end === null) return null;
    drawn ||= marker === SCAN && size !== null;
    kept.push(...drawingPart(view, marker, at, end - at));
    at = end;
  }
  return null;
}

/** SOF0 to SOF15, without the three numbers between them that mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** The next marker that is neither a stuffed byte nor a restart. */
function endOfScan(view: DataView, from: number): number | null {
  for (let at = from; at + 1 < view.byteLength; at += 1) {
    if (view.getUint8(at) !== 0xff) continue;
    const next = view.getUint8(at + 1);
    if (next !== 0x00 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return null;
}

function drawingPart(view: DataView, marker: number, at: number, length: number): Uint8Array[] {
  const whole = part(view, at, length);
  const begins = (text: string) => String.fromCharCode(...whole.subarray(4, 4 + text.length)) === text;
  if (marker === 0xe1 && begins('Exif\0\0')) {
    const orientation = orientationOf(new DataView(view.buffer, view.byteOffset + at + 10, length - 10));
    return orientation === null ? [] : [exifOf(orientation)];
  }
  if (marker >= 0xe0 && marker <= 0xef) {
    const kept =
      (marker === 0xe0 && begins('JFIF\0')) || (marker === 0xe2 && begins('ICC_PROFILE\0')) || (marker === 0xee && begins('Adobe'));
    return kept ? [whole] : [];
  }
  return marker === COMMENT ? [] : [whole];
}

/** 1 to 8, from the first directory of the TIFF that Exif is. */
function orientationOf(tiff: DataView): number | null {
  if (tiff.byteLength < 14) return null;
  const order = tiff.getUint16(0);
  if (order !== 0x4949 && order !== 0x4d4d) return null;
  const little = order === 0x4949;
  const directory = tiff.getUint32(4, little);
  if (directory + 2 > tiff.byteLength) return null;
  const count = tiff.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + count * 12 && entry + 12 <= tiff.byteLength; entry += 12) {
    if (tiff.getUint16(entry, little) !== ORIENTATION) continue;
    const value = tiff.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** Exif with this one entry: a short, number 0x0112, in a big-endian TIFF. */
function exifOf(orientation: number): Uint8Array {
  const head = [0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  return new Uint8Array([...head, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]);
}
