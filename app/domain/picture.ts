/** What a picture of a person may be. */
export const PICTURE_MAX_BYTES = 1_048_576;
export const PICTURE_MAX_SIDE = 4096;
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];
export type Picture = { mediaType: PictureType; width: number; height: number };

/**
 * Type and size in pixels as the content itself says: neither its name nor what the sender calls it counts. Null for anything that is no PNG,
 * JPEG or WebP with a readable header. SVG and GIF are none on purpose.
 */
export function readPicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return readPng(view) ?? readWebp(view) ?? readJpeg(view);
}

/** PNG, section 5.2 and 11.2.1: the signature, and first of all the chunk IHDR. */
function readPng(view: DataView): Picture | null {
  if (view.byteLength < 24 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return null;
  if (view.getUint32(12) !== 0x49484452) return null;
  return sized('image/png', view.getUint32(16), view.getUint32(20));
}

/** RFC 9649: RIFF, then one of three kinds of first chunk. */
function readWebp(view: DataView): Picture | null {
  if (view.byteLength < 30 || view.getUint32(0) !== 0x52494646 || view.getUint32(8) !== 0x57454250) return null;
  const kind = view.getUint32(12);
  if (kind === 0x56503858) return sized('image/webp', 1 + uint24(view, 24), 1 + uint24(view, 27));
  if (kind === 0x5650384c && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return sized('image/webp', 1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff));
  }
  if (kind === 0x56503820 && uint24(view, 23) === 0x2a019d)
    return sized('image/webp', view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  return null;
}

/** ITU T.81, annex B: markers up to the first frame header, which holds height and width. */
function readJpeg(view: DataView): Picture | null {
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) return null;
  let at = 2;
  while (at + 9 <= view.byteLength) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    // fill bytes, and markers that have no length
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (isFrame(marker)) return sized('image/jpeg', view.getUint16(at + 7), view.getUint16(at + 5));
    else if (marker === 0xd9 || marker === 0xda) return null;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return null;
}

/** SOF0 to SOF15, without the three numbers between them that mean something else. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function uint24(view: DataView, at: number): number {
  return view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
}

function sized(mediaType: PictureType, width: number, height: number): Picture | null {
  return width > 0 && height > 0 ? { mediaType, width, height } : null;
}
