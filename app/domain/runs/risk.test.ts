import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { riskFactsOf, riskOf } from '#app/domain/runs/risk.ts';

describe('riskOf', () => {
  it.each<[string, Json[], string]>([
    ['nothing reported', [], 'low'],
    ['plain values', [null, 3, 'high', ['high']], 'low'],
    ['a risk at the top', [{ risk: 'medium' }], 'medium'],
    ['a severity at the top', [{ severity: 'HIGH ' }], 'high'],
    ['a match', [{ matches: [{ risk: 'low' }, { risk: 'high' }] }], 'high'],
    ['an obligation', [{ obligations: [{ severity: 'moderate' }] }], 'medium'],
    ['the highest of several steps', [{ risk: 'low' }, { findings: [{ severity: 'critical' }] }, { risk: 'medium' }], 'high'],
    ['a word of a peer of its own', [{ risk: 'apocalyptic' }], 'high'],
    ['a word of a peer that means none', [{ risk: 'none' }], 'low'],
    ['a risk deeper than we look', [{ result: { findings: [{ risk: 'high' }] } }], 'low'],
  ])('%s', (_what, outputs, expected) => {
    expect(riskOf(outputs)).toBe(expected);
  });

  it('counts what was found', () => {
    expect(riskFactsOf([{ findings: [{}, {}], matches: [{}] }, { obligations: [1] }])).toEqual({ risk: 'low', findings: 4 });
  });

  it('takes a list too long to be read for high', () => {
    expect(riskOf([{ findings: new Array<Json>(10_001).fill({ risk: 'low' }) }])).toBe('high');
  });

  it('answers for any output', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (outputs) => ['low', 'medium', 'high'].includes(riskOf(outputs as Json[]))));
  });
});
