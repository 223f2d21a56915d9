import { describe, expect, test } from 'vitest';
import { readPicture } from '#app/features/account/profile/picture.ts';
import { pngOf } from '#tests/support/pictures.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const together = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const plain = (content: Uint8Array | undefined) => Buffer.from(content ?? []).toString('hex');
const SCRIPT = ascii('<script>alert(1)</script>');

const JFIF = 'ffe0 0010 4a46494600010100000100010000';
const TABLE = 'ffdb 0004 0000';
const FRAME = 'ffc2 0011 08 00f0 0140 03 011100021100031100';
const SCAN = 'ffda 0004 0000 1122 ff00 33 ffd0 44';
const PLACE = `ffe1 ${(2 + 6 + 26 + 12).toString(16).padStart(4, '0')} 457869660000 4949 2a00 08000000 0100 1201 0300 01000000 0600 0000 00000000 ${Buffer.from('52.5 N 13.4 E').toString('hex').slice(0, 24)}`;
const COMMENT = 'fffe 0006 61626364';
const END = 'ffd9';
const jpeg = (...parts: string[]) => bytes(['ffd8', ...parts].join(''));

const chunk = (name: string, body: string) => {
  const content = bytes(body);
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return together(head, content, new Uint8Array(content.length % 2));
};
const webp = (...chunks: Uint8Array[]) => {
  const body = together(...chunks);
  const head = Buffer.from('RIFF0000WEBP', 'latin1');
  head.writeUInt32LE(body.length + 4, 4);
  return together(head, body);
};
const LOSSY = chunk('VP8 ', '000000 9d012a 4001 f000 00000000');
const LOSSLESS = chunk('VP8L', '2f 3fc13b00 0000000000000000');
const extended = (flags: string) => chunk('VP8X', `${flags}000000 3f0100 ef0000`);

describe('the size of', () => {
  test('a PNG stands in its first chunk', () => {
    expect(readPicture(pngOf(320, 240))).toMatchObject({ mediaType: 'image/png', width: 320, height: 240 });
  });
  test('a JPEG in its frame header, behind whatever else stands before', () => {
    expect(readPicture(jpeg(JFIF, TABLE, 'ff', FRAME, SCAN, END))).toMatchObject({ mediaType: 'image/jpeg', width: 320, height: 240 });
  });
  test('a WebP in one of three places', () => {
    for (const picture of [webp(LOSSY), webp(LOSSLESS), webp(extended('00'), LOSSY)])
      expect(readPicture(picture)).toMatchObject({ mediaType: 'image/webp', width: 320, height: 240 });
  });
});

describe('of a picture is kept what draws it, and nothing else:', () => {
  test.each([
    ['PNG', pngOf(320, 240)],
    ['JPEG', jpeg(JFIF, TABLE, FRAME, SCAN, TABLE, SCAN, END)],
    ['WebP', webp(extended('10'), LOSSY)],
  ])('a %s comes back byte for byte, without what was put behind its end', (_, picture) => {
    expect(plain(readPicture(picture)?.content)).toBe(plain(picture));
    expect(plain(readPicture(together(picture, SCRIPT))?.content)).toBe(plain(picture));
  });

  test('no texts of a PNG, and no further pictures', () => {
    const noted = pngOf(320, 240, 300, { tEXt: 'Comment\0<script>', eXIf: '52.5 N 13.4 E', acTL: '12345678', sRGB: '0' });
    const kept = Buffer.from(readPicture(noted)?.content ?? []).toString('latin1');
    expect(kept).toContain('sRGB');
    for (const gone of ['tEXt', 'script', 'eXIf', '52.5', 'acTL']) expect(kept).not.toContain(gone);
  });

  test('no comment and no place of a JPEG, but which side is up', () => {
    const content = readPicture(jpeg(JFIF, PLACE, COMMENT, TABLE, FRAME, SCAN, END))?.content;
    const upright = 'ffe1 0022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 0006 0000 00000000';
    expect(plain(content)).toBe(plain(jpeg(JFIF, upright, TABLE, FRAME, SCAN, END)));
  });

  test('no Exif and no XMP of a WebP, nor the word that it has them', () => {
    const noted = webp(extended('1c'), LOSSY, chunk('EXIF', '52454e'), chunk('XMP ', '3c78'), chunk('what', '00'));
    expect(plain(readPicture(noted)?.content)).toBe(plain(webp(extended('10'), LOSSY)));
  });
});

test('nothing else is a picture, whatever it is called, and no part of one', () => {
  const png = pngOf(320, 240);
  const photo = jpeg(JFIF, TABLE, FRAME, SCAN, END);
  const image = webp(LOSSY);
  for (const other of [
    ascii('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'),
    ascii('GIF89a\x10\x00\x10\x00 and so on and so on and so on'),
    ascii('<!doctype html><script>alert(1)</script> and some more text'),
    bytes('89504e470d0a1a0a 0000000d 49444154 00000140 000000f0 0806000000 00000000'),
    pngOf(0, 240),
    jpeg(JFIF, FRAME, END),
    jpeg(JFIF, SCAN, END),
    jpeg(FRAME.replace('0140', '0000'), SCAN, END),
    webp(chunk('ANIM', '0a000000 00000000 3f0100 ef0000 00000000')),
    webp(extended('00')),
    new Uint8Array(),
  ])
    expect(readPicture(other)).toBeNull();
  for (const whole of [png, photo, image])
    for (let length = 0; length < whole.length; length += 1) expect(readPicture(whole.slice(0, length))).toBeNull();
});
