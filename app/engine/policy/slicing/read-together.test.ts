import { afterEach, expect, it, vi } from 'vitest';
import { cedar } from '#app/engine/policy/cedar.ts';
import { compilePolicies } from '#app/engine/policy/compile-policies.ts';

const SCHEMA = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
const schemas = new Map([['bank/pay', SCHEMA]]);
let made = 0;
const rule = (head: string, condition: string) => {
  made += 1;
  return `@id("r") @verdict("deny") @reason("Text ${made} of this test.") forbid(principal, ${head}, resource) when { ${condition} };`;
};
const PAY = 'action == Action::"bank/pay"';
const fits = () => rule(PAY, `context.input.amount.greaterThan(decimal("${made}.0"))`);
const general = () => rule('action', `context.findings > ${made}`);
const sourcesOf = (texts: readonly string[]) =>
  texts.map((text, at) => ({ policyId: `p${String(at).padStart(2, '0')}`, policyName: `P${at}`, version: 1, text }));

afterEach(() => vi.restoreAllMocks());

it('checks the policies in force together: many of them cost two checks, and the next time none', () => {
  const validate = vi.spyOn(cedar(), 'validate');
  const sources = sourcesOf(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? fits() : general())));
  const compiled = compilePolicies(sources, schemas);
  expect([compiled.unreadable, compiled.tools.get('bank/pay')?.unfit, compiled.rules.size]).toEqual([null, null, 20]);
  expect(validate).toHaveBeenCalledTimes(2);
  compilePolicies(sources, schemas);
  expect(validate).toHaveBeenCalledTimes(2);
});

it.each([
  ['a fault', () => rule('action', 'context.nothing > 1')],
  ['a rule that never takes effect', () => rule('action', 'context.findings > 1 && false')],
  ['no rule at all', () => '// nothing'],
  ['a text that is none', () => 'forbid('],
])('names the one policy that has %s, among others', (_, faulty) => {
  const compiled = compilePolicies(sourcesOf([fits(), general(), faulty(), fits(), general()]), schemas);
  expect(compiled.unreadable?.policyId).toBe('p02');
  expect(compiled.rules.size).toBe(4);
});

it.each([
  ['asks for a field that is not there', () => rule(PAY, 'context.input.gone == "x"')],
  ['compares with another type', () => rule(PAY, 'context.input.amount > 5')],
])('names the one rule that %s, among others', (_, misfit) => {
  const compiled = compilePolicies(sourcesOf([fits(), misfit(), general(), fits()]), schemas);
  expect(compiled.unreadable).toBeNull();
  expect(compiled.tools.get('bank/pay')?.unfit?.source.policyId).toBe('p01');
});
