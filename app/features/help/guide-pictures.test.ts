import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { guidePicture, PICTURE } from '#app/features/help/guide-pictures.ts';
import { GUIDES } from '#app/features/help/guides.ts';

const PUBLIC = join(import.meta.dirname, '..', '..', '..', 'public');
const MOST_BYTES = 1_500_000;

/** Width and height of a WebP in the extended format (RFC 9649, section 2.7). */
function sizeOf(webp: Buffer): [number, number] {
  expect(webp.toString('latin1', 0, 4) + webp.toString('latin1', 8, 16)).toBe('RIFFWEBPVP8X');
  return [webp.readUIntLE(24, 3) + 1, webp.readUIntLE(27, 3) + 1];
}

test('every guide has its picture in every language, as large as the page says, and no picture is left over', () => {
  const named = GUIDES.flatMap((guide) => LANGUAGES.map((language) => guidePicture(guide, language)));
  const pictures = named.map((path) => readFileSync(join(PUBLIC, path)));
  for (const picture of pictures) expect(sizeOf(picture)).toEqual([PICTURE.width * PICTURE.density, PICTURE.height * PICTURE.density]);
  expect(pictures.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(MOST_BYTES);
  expect(
    readdirSync(join(PUBLIC, 'guides'))
      .map((name) => `/guides/${name}`)
      .sort(),
  ).toEqual([...named].sort());
});
