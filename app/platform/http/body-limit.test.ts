import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { BodyLimit } from '#app/platform/http/body-limit.ts';

const FORM = 'application/x-www-form-urlencoded';
const PARTS = 'multipart/form-data; boundary=cut';
const JSON_TYPE = 'application/json';

/** In pieces of this many bytes, as a network cuts it. */
function pieces(body: string, size: number): Buffer[] {
  const bytes = Buffer.from(body);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
}
const read = (body: string, contentType: string, { maxBytes = 1_000_000, size = 7 } = {}) =>
  text(Readable.from(pieces(body, size)).pipe(new BodyLimit({ maxBytes, contentType })));
const fields = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join('&');
const parts = (count: number) =>
  `${Array.from({ length: count }, (_, n) => `--cut\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`).join('')}--cut--\r\n`;

test.each([
  ['fields', FORM, fields(1_000), fields(1_001)],
  ['parts', PARTS, parts(1_000), parts(1_001)],
  ['levels', JSON_TYPE, `${'['.repeat(150)}${']'.repeat(150)}`, '['.repeat(151)],
])('%s are counted before anything is parsed, wherever a piece ends', async (_, type, fits, over) => {
  for (const size of [1, 7, 65_536]) {
    expect(await read(fits, type, { size })).toBe(fits);
    await expect(read(over, type, { size })).rejects.toMatchObject({ code: 'invalid_input' });
  }
});

test('brackets within texts of JSON are no levels', async () => {
  const body = JSON.stringify({ text: `\\"${'[{'.repeat(500)}`, list: Array.from({ length: 500 }, () => [1]) });
  expect(await read(body, JSON_TYPE)).toBe(body);
});

test('a body of more bytes than allowed fails with its limit', async () => {
  await expect(read('x'.repeat(2_049), FORM, { maxBytes: 2_048 })).rejects.toMatchObject({ code: 'too_large', values: { limit: 2 } });
});
