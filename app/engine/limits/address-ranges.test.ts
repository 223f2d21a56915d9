import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithinRanges, readRanges } from '#app/engine/limits/address-ranges.ts';

describe('a list of networks', () => {
  test.each([
    ['10.0.0.0/8, 192.168.1.7\n2001:db8::/32', ['10.0.0.0/8', '192.168.1.7/32', '2001:db8::/32']],
    ['  ', []],
    ['10.0.0.0/8 10.0.0.0/8', ['10.0.0.0/8']],
    ['2001:DB8::1', ['2001:db8::1/128']],
  ])('%j is read', (text, ranges) => expect(readRanges(text)).toEqual({ ok: true, ranges }));

  test.each([
    '10.0.0.0/33',
    '10.0.0',
    'models.internal',
    '10.0.0.1-10.0.0.9',
    '2001:db8::/129',
    '010.0.0.1',
    '0x7f.1',
    '10.0.0.0/-1',
    '/8',
    '::1/',
  ])('%j is none', (entry) => expect(readRanges(`10.0.0.0/8\n${entry}`)).toEqual({ ok: false, wrong: entry }));
});

describe('an address', () => {
  test.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['11.1.2.3', ['10.0.0.0/8'], false],
    ['192.168.1.7', ['192.168.1.7/32'], true],
    ['192.168.1.8', ['192.168.1.7/32'], false],
    ['2001:db8::9', ['10.0.0.0/8', '2001:db8::/32'], true],
    ['fe80::1%eth0', ['fe80::/10'], true],
    ['::1', ['127.0.0.0/8'], false],
    ['', ['0.0.0.0/0', '::/0'], false],
    ['unknown', ['0.0.0.0/0'], false],
    ['10.1.2.3', ['nonsense'], false],
    ['', [], true],
  ])('%j within %j: %j', (address, ranges, within) => expect(isWithinRanges(address, ranges)).toBe(within));

  test('is within its own network of any size, and outside once a bit that counts is another', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), (address, bits) => {
        const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
        const flipped = (number ^ (1 << (32 - bits))) >>> 0;
        const other = [24, 16, 8, 0].map((shift) => (flipped >>> shift) & 255).join('.');
        expect(isWithinRanges(address, [`${address}/${bits}`])).toBe(true);
        expect(isWithinRanges(other, [`${address}/${bits}`])).toBe(false);
      }),
    );
  });
});
