import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ArithmeticError, evaluateArithmetic } from '#app/engine/mcp/builtin-tools/arithmetic.ts';

const value = (expression: string, variables = {}) => evaluateArithmetic(expression, variables).toFixed();

describe('evaluateArithmetic', () => {
  it.each([
    ['0.1 + 0.2', '0.3'],
    ['2 + 3 * 4', '14'],
    ['(2 + 3) * 4', '20'],
    ['-2 ^ 2', '-4'],
    ['2 ^ 3 ^ 2', '512'],
    ['2 ^ -2', '0.25'],
    ['7 % 4', '3'],
    ['200 * 5%', '10'],
    ['1 / 3', '0.3333333333333333333333333333333333'],
    ['10 / 4', '2.5'],
    ['round(2.675, 2)', '2.68'],
    ['round(2.665, 2)', '2.66'],
    ['floor(-1.5)', '-2'],
    ['ceil(-1.5)', '-1'],
    ['min(3, 1, 2) + max(3, 1, 2)', '4'],
    ['sum(0.1, 0.2, 0.3)', '0.6'],
    ['avg(1, 2)', '1.5'],
    ['abs(-1_000.50)', '1000.5'],
    ['1e3 − 1', '999'],
    ['9999999999999999999 + 1', '10000000000000000000'],
  ])('%s is %s', (expression, expected) => expect(value(expression)).toBe(expected));

  it('takes variables', () => expect(value('amount * rate', { amount: '1234.56', rate: 0.05 })).toBe('61.728'));

  it.each([
    '',
    '1 +',
    '(1',
    '1)',
    '2 2',
    'x',
    'foo(1)',
    '1/0',
    '5 % 0',
    'round()',
    'abs(1,2)',
    '9^9^9',
    '2^0.5',
    '(('.repeat(200),
    'constructor',
    '__proto__(1)',
    '1'.repeat(3000),
  ])('refuses %j and says where', (expression) => {
    expect(() => evaluateArithmetic(expression)).toThrow(ArithmeticError);
  });

  it('agrees with whole numbers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), (a, b) => {
        expect(value(`(${a}) + (${b})`)).toBe((a + b).toString());
        expect(value(`(${a}) * (${b}) - (${a})`)).toBe((a * b - a).toString());
      }),
    );
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: 20 }), (digits, scale) => {
        const text = value(`n * 1e-${scale}`, { n: String(digits) });
        expect(value('n', { n: text })).toBe(text);
        expect(evaluateArithmetic('n', { n: text }).round(20).toFixed()).toBe(text);
      }),
    );
  });
});
