import { describe, expect, it } from 'vitest';
import { GATEWAY_ADDRESS } from '#app/engine/commands/gateways/gateway-input.ts';
import { addressOfName } from '#app/features/connections/gateways/gateway-address.ts';

describe('the address of a gateway, made of its name', () => {
  it.each([
    ['Tools of the back office', [], 'tools-of-the-back-office'],
    ['Crédit & Risque', [], 'credit-risque'],
    ['بوابة المدفوعات', [], 'gateway'],
    ['بوابة', ['gateway'], 'gateway-2'],
    ['Payments', ['payments', 'payments-2'], 'payments-3'],
    ['- -', [], 'gateway'],
  ])('of %j beside %j is %j', (name, taken, address) => {
    expect(addressOfName(name, taken)).toBe(address);
  });

  it('is one that a command takes, however long the name is', () => {
    const long = `${'a'.repeat(43)} ${'b'.repeat(70)}`;
    expect(addressOfName(long, [])).toMatch(GATEWAY_ADDRESS);
    expect(addressOfName(long, [addressOfName(long, [])])).toMatch(GATEWAY_ADDRESS);
  });
});
