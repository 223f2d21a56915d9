import { ReadRefused } from '#app/engine/documents/reading/reading-limits.ts';

/** The format and the size in pixels that the head of an image states; no pixel is decoded. @throws ReadRefused */
export function imageSize(content: Uint8Array): { format: string; width: number; height: number } {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  try {
    const found = sizeOf(bytes);
    if (found !== null && found.width > 0 && found.height > 0) return found;
  } catch (error) {
    // Node's own: the head ends too soon
    if (!String((error as { code?: unknown }).code).startsWith('ERR_')) throw error;
  }
  throw new ReadRefused('readBroken');
}

function sizeOf(bytes: Buffer) {
  if (bytes[0] === 0x89) return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (bytes[0] === 0x47) return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (bytes[0] === 0xff) return jpegSize(bytes);
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { format: 'webp', width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { format: 'webp', width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { format: 'webp', width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** In the first segment that begins a frame: SOF0 to SOF15 without DHT, JPG and DAC (ITU T.81, table B.1). */
function jpegSize(bytes: Buffer) {
  for (let at = 2; at + 9 <= bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return { format: 'jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
}
