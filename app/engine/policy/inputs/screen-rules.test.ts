import { isAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COMPARISONS_OF, type InputCondition } from '#app/domain/audit/rule-input.ts';
import { screening, screenOf } from '#app/engine/policy/inputs/screen-rules.ts';
import { inputText } from '#app/engine/policy/rule-inputs.ts';

const FIELDS = [
  { path: ['amount'], kind: 'decimal' },
  { path: ['order'], kind: 'whole' },
  { path: ['payee', 'country'], kind: 'text' },
  { path: ['express'], kind: 'truth' },
  { path: ['tags'], kind: 'list' },
] as const;
/** Few values, so that conditions and inputs often meet. */
const NUMBERS = ['-1.5', '-1', '0', '0.0001', '1', '1.5', '2', '922337203685476'] as const;
const WORDS = ['DE', 'D', 'E', 'FR', 'Ä*', '*'] as const;
const condition: fc.Arbitrary<InputCondition> = fc
  .record({ field: fc.constantFrom(...FIELDS), pick: fc.nat(), holds: fc.boolean(), guarded: fc.boolean(), of: fc.nat() })
  .map(({ field: { path, kind }, pick, holds, guarded, of }) => {
    const comparison = [...COMPARISONS_OF[kind], 'given' as const][pick % (COMPARISONS_OF[kind].length + 1)] ?? 'given';
    if (comparison === 'given') return { path, kind: null, comparison, value: '', holds, guarded: false };
    const numbers = kind === 'whole' ? NUMBERS.filter((one) => !one.includes('.')) : NUMBERS;
    const value = kind === 'truth' ? '' : kind === 'text' || kind === 'list' ? WORDS[of % WORDS.length] : numbers[of % numbers.length];
    return { path, kind, comparison, value: value ?? '', holds, guarded };
  });
const decimal = (text: string) => ({ __extn: { fn: 'decimal' as const, arg: text.includes('.') ? text : `${text}.0` } });
const record = fc.record(
  {
    amount: fc.constantFrom(...NUMBERS).map(decimal),
    order: fc.constantFrom(-1, 0, 1, 2, 922_337_203_685_476),
    payee: fc.record({ country: fc.constantFrom(...WORDS) }, { requiredKeys: [] }),
    express: fc.boolean(),
    tags: fc.subarray([...WORDS]),
  },
  { requiredKeys: [] },
);

it('a rule that is left out would not have applied, and would not have failed: Cedar says the same of every rule and input', () => {
  let leftOut = 0;
  fc.assert(
    fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), record, (conditions, input) => {
      const cannot = screening(input)(screenOf(conditions));
      // what makes an error of Cedar is asked of Cedar, unless another condition settles it before
      if (!cannot) return;
      leftOut += 1;
      const texts = (holds: boolean) => conditions.filter((one) => one.holds === holds).map(inputText);
      const [when, unless] = [texts(true), texts(false)];
      const text = `forbid(principal, action, resource)${when.length > 0 ? ` when { ${when.join(' && ')} }` : ''}${unless.length > 0 ? ` unless { ${unless.join(' || ')} }` : ''};`;
      const answer = isAuthorized({
        ...{ principal: { type: 'A', id: '' }, action: { type: 'Action', id: '' }, resource: { type: 'A', id: '' }, entities: [] },
        context: { input },
        policies: { staticPolicies: { a: text, p: 'permit(principal, action, resource);' } },
      });
      if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
      expect(answer.response.decision).toBe('allow');
    }),
    { numRuns: process.env.QUORATE_TEST_FULL ? 20_000 : 500 },
  );
  expect(leftOut).toBeGreaterThan(50);
});
