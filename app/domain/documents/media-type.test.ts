import { expect, test } from 'vitest';
import { mediaTypeOf } from '#app/domain/documents/media-type.ts';

const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

test('a file is taken by what it is, not by what its name says', () => {
  expect(mediaTypeOf('a.pdf', bytes('%PDF-1.7'))).toBe('application/pdf');
  expect(mediaTypeOf('photo', bytes('\xff\xd8\xff\xe0'))).toBe('image/jpeg');
  expect(mediaTypeOf('a.webp', bytes('RIFF\x00\x00\x00\x00WEBPVP8 '))).toBe('image/webp');
  expect(mediaTypeOf('a.csv', bytes('a;b'))).toBe('text/csv; charset=utf-8');
  expect(mediaTypeOf('notes', bytes('h\xc3\xa9'))).toBe('text/plain; charset=utf-8');
  expect(mediaTypeOf('a.DOCX', bytes('PK\x03\x04'))).toMatch(/wordprocessingml/);
  expect(mediaTypeOf('a.zip', bytes('PK\x03\x04'))).toBeNull();
  expect(mediaTypeOf('a.pdf', bytes('hello'))).toBeNull();
  expect(mediaTypeOf('a.txt', bytes('MZ\x00\x00'))).toBeNull();
  expect(mediaTypeOf('a.txt', bytes('\xff\xff'))).toBeNull();
});
