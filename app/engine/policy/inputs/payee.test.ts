import { describe, expect, it } from 'vitest';
import { payeeOf } from '#app/engine/policy/inputs/payee.ts';

const of = (input: Parameters<typeof payeeOf>[1]) => payeeOf('w', input);

describe('the payee of an input', () => {
  it.each([
    [{ payee: 'Acme' }, { payee: ' ACME ' }],
    [{ payment: { beneficiary_iban: 'DE89 3704 0044 0532 0130 00' } }, { payment: { beneficiary_iban: 'de89370400440532013000' } }],
    [
      { vendorId: 7, amount: 1 },
      { amount: 900, vendorId: 7 },
    ],
    [{ creditor: { name: 'Acme', iban: 'DE1' } }, { creditor: { iban: 'DE1', name: 'acme' } }],
  ])('is the same for %j and %j', (one, other) => {
    expect(of(one)).toMatch(/^[0-9a-f]{64}$/);
    expect(of(other)).toBe(of(one));
  });

  it.each([
    [{ payee: 'Acme' }, { payee: 'Acme Ltd' }],
    // the name that is known, with another account
    [
      { payee: 'Acme', iban: 'DE1' },
      { payee: 'Acme', iban: 'DE2' },
    ],
    [{ creditor: { name: 'Acme', iban: 'DE1' } }, { creditor: { name: 'Acme', iban: 'DE2' } }],
    [{ vendorId: 7 }, { vendorId: '7' }],
    [{ items: [{ payee: 'A' }, { payee: 'B' }] }, { items: [{ payee: 'A' }, { payee: 'C' }] }],
  ])('differs between %j and %j', (one, other) => {
    expect(of(one)).not.toBe(of(other));
  });

  it('is nobody where no field says it, or it lies too deep, and differs between workspaces', () => {
    expect(of({ amount: 5, text: 'payee' })).toBeNull();
    expect(of({ a: { b: { c: { d: { payee: 'Acme' } } } } })).toBeNull();
    expect(payeeOf('v', { payee: 'Acme' })).not.toBe(of({ payee: 'Acme' }));
  });
});
