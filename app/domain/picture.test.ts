import { expect, test } from 'vitest';
import { readPicture } from '#app/domain/picture.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text.replaceAll(' ', ''), 'hex'));
const ascii = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

test('a PNG says its size in its first chunk', () => {
  const png = bytes('89504e470d0a1a0a 0000000d 49484452 00000140 000000f0 0806000000');
  expect(readPicture(png)).toEqual({ mediaType: 'image/png', width: 320, height: 240 });
});

test('a JPEG says it in its frame header, behind whatever else stands before', () => {
  const jpeg = bytes('ffd8 ffe0 0010 4a46494600010100000100010000 ffdb 0004 0000 ff ffc2 0011 08 00f0 0140 03 011100021100031100');
  expect(readPicture(jpeg)).toEqual({ mediaType: 'image/jpeg', width: 320, height: 240 });
});

test('a WebP says it in three ways', () => {
  const riff = '52494646 00000000 57454250';
  const lossy = bytes(`${riff} 56503820 00000000 000000 9d012a 4001 f000`);
  const lossless = bytes(`${riff} 5650384c 00000000 2f 3fc13b00 0000000000`);
  const extended = bytes(`${riff} 56503858 0a000000 00000000 3f0100 ef0000`);
  for (const webp of [lossy, lossless, extended]) expect(readPicture(webp)).toEqual({ mediaType: 'image/webp', width: 320, height: 240 });
});

test('nothing else is a picture, whatever it is called', () => {
  for (const other of [
    ascii('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"></svg>'),
    ascii('GIF89a\x10\x00\x10\x00 and so on and so on and so on'),
    ascii('<!doctype html><script>alert(1)</script> and some more text'),
    bytes('89504e470d0a1a0a 0000000d 49444154 00000140 000000f0'),
    bytes('89504e470d0a1a0a 0000000d 49484452 00000000 000000f0'),
    bytes('ffd8 ffe0 0010 4a46'),
    bytes('ffd8 ffda 0004 0000 0000 0000 0000'),
    bytes('52494646 00000000 57454250 414e494d 0a000000 00000000 3f0100 ef0000'),
    new Uint8Array(),
  ])
    expect(readPicture(other)).toBeNull();
});
