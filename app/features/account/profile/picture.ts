import { cleanPng, cleanWebp } from '#app/features/account/profile/picture-chunks.ts';
import { cleanJpeg } from '#app/features/account/profile/picture-jpeg.ts';

/** Limits of a person's picture. */
export const PICTURE_MAX_BYTES = 1_048_576;
export const PICTURE_MAX_SIDE = 4096;
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];
/** `content` is the picture alone: without what stood behind its end and without notes in it (place, camera, texts). */
export type Picture = { mediaType: PictureType; width: number; height: number; content: Uint8Array };

/**
 * Type, size in pixels and content, as the bytes themselves say: neither its name nor what the sender calls it counts. It is written again
 * from the parts that draw it, so that nothing else travels along. Null for anything that is no whole PNG, JPEG or WebP. SVG and GIF are
 * none on purpose.
 */
export function readPicture(bytes: Uint8Array): Picture | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = { 'image/png': cleanPng(view), 'image/webp': cleanWebp(view), 'image/jpeg': cleanJpeg(view) };
  for (const mediaType of PICTURE_TYPES) {
    const seen = found[mediaType];
    if (seen !== null && seen.width > 0 && seen.height > 0) return { mediaType, ...seen };
  }
  return null;
}
