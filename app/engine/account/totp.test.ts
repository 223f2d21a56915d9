import { expect, it } from 'vitest';
import { base32, matchingStep, readBase32 } from '#app/engine/account/totp.ts';

// RFC 6238, appendix B, of which six digits are used here.
const SECRET = Buffer.from('12345678901234567890');
it.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('at %d the code is %s', (seconds, code) => {
  expect(matchingStep(SECRET, code, new Date(seconds * 1000))).toBe(Math.floor(seconds / 30));
});

it('a code of the step before or after is taken, and no older or later one', () => {
  const at = (seconds: number) => matchingStep(SECRET, '287082', new Date(seconds * 1000));
  expect([0, 29, 30, 59, 60, 89].map(at)).toEqual([1, 1, 1, 1, 1, 1]);
  expect([90, 120, 3600].map(at)).toEqual([null, null, null]);
});

it('a secret is written as authenticator apps read it (RFC 4648)', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(readBase32('MZXW6YTBOI').toString()).toBe('foobar');
  expect(readBase32(base32(SECRET))).toEqual(SECRET);
});
