import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { applyChanges, type FieldChange, readChange } from '#app/domain/audit/field-change.ts';
import { compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { type Asking, decideChanging } from '#app/engine/policy/decide-changing.ts';
import { validatePolicyText } from '#app/engine/policy/inputs/check-inputs.ts';

const TOOLS = new Map<string, Json>([
  [
    'crm/refund',
    {
      required: ['amount'],
      properties: {
        ...{ amount: { type: 'number' }, note: { type: 'string' }, order: { type: 'integer' } },
        payee: { type: 'object', properties: { iban: { type: 'string' } } },
      },
    },
  ],
]);
const IBAN = 'DE89370400440532013000';
const rule = (id: string, verdict: string, annotations: string, condition = '') =>
  `@id("${id}") @verdict("${verdict}") @reason("R.") ${annotations}\nforbid(principal, action == Action::"crm/refund", resource)${condition === '' ? '' : ` when { ${condition} }`};\n`;
const over = (limit: string) => `context.input.amount.greaterThan(decimal("${limit}"))`;
const ASKING: Asking = {
  ...{ workspaceId: 'w', runId: 'r', mode: 'live', action: 'call_tool', initiator: { id: 'ann', roles: ['builder'] } },
  connection: { id: 'c', slug: 'crm', kind: 'mcp', personalDataAllowed: false, builtin: false },
  capability: { id: 't', name: 'refund', kind: 'tool', state: 'approved' },
  facts: { personalData: [], risk: 'low', findings: 0 },
  circumstances: {
    ...{ workflow: { id: 'f', name: '' }, agent: '', requesterIsAuthor: false, host: '', callsInRun: 0, costInRunMicros: 0 },
    time: { at: '2026-11-26T21:30:00.000Z', zone: 'UTC', weekday: 'thursday', date: '2026-11-26', hour: 21 },
  },
};
const decided = (text: string, input: { [key: string]: Json }) =>
  decideChanging(compilePolicies([{ policyId: 'p', policyName: 'Refunds', version: 1, text }], TOOLS), ASKING, input);

describe('a rule that changes the input', () => {
  it('masks, redacts and caps, says which fields, and never what they held', () => {
    const text =
      rule('m', 'transform', '@mask("payee.iban")') +
      rule('r', 'transform', '@redact("note")') +
      rule('c', 'transform', '@cap("amount 500")');
    const { decision, input, fields } = decided(text, { amount: 900, note: 'secret', payee: { iban: IBAN } });
    expect(input).toEqual({ amount: 500, note: '[redacted]', payee: { iban: '••••••••••••••••••3000' } });
    expect(fields.map(({ how, path }) => [how, path.join('.')])).toEqual([
      ['cap', 'amount'],
      ['mask', 'payee.iban'],
      ['redact', 'note'],
    ]);
    expect(decision).toMatchObject({
      verdict: 'transform',
      reason: { key: 'policyTransformed', values: { fields: 'amount, payee.iban, note' } },
    });
    expect(JSON.stringify(decision)).not.toMatch(/secret|DE89|900/);
  });

  it('acts before the others judge: they see what will be sent', () => {
    const cap = rule('c', 'transform', '@cap("amount 500")', over('500.0'));
    const two = rule('a', 'require_approval', '@approvers("2")', over('400.0'));
    const approvals = decided(cap + two, { amount: 900 });
    expect(approvals).toMatchObject({ input: { amount: 500 }, decision: { verdict: 'require_approval', terms: { quorum: 2 } } });
    expect(approvals.decision.rules.map((one) => one.rule)).toEqual(['a', 'c']);
    expect(approvals.approved({ id: 'x', approvedBy: ['bob', 'eve'] })).toMatchObject({
      verdict: 'transform',
      reason: { key: 'policyTransformed' },
    });
    expect(approvals.approved({ id: 'x', approvedBy: ['bob'] }).verdict).toBe('deny');
    expect(decided(cap + rule('d', 'deny', '', over('600.0')), { amount: 900 }).decision.verdict).toBe('transform');
    expect(decided(cap + rule('d', 'deny', '', over('100.0')), { amount: 900 }).decision.verdict).toBe('deny');
    // personal data that is masked does not leave
    const stays =
      '@id("s") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { !context.personalData.isEmpty() };\n';
    expect(decided(stays, { amount: 1, payee: { iban: IBAN } }).decision.verdict).toBe('deny');
    expect(decided(stays + rule('m', 'transform', '@mask("payee.iban")'), { amount: 1, payee: { iban: IBAN } }).decision.verdict).toBe(
      'transform',
    );
  });

  it('changes nothing in monitor mode, and refuses where rules do not agree or cannot be asked', () => {
    expect(decided(rule('c', 'transform', '@mode("monitor") @cap("amount 5")'), { amount: 9 })).toMatchObject({
      input: { amount: 9 },
      fields: [],
      decision: { verdict: 'allow' },
    });
    expect(decided(rule('c', 'transform', '@cap("amount 500")', over('1.0')), { amount: 'x' }).decision).toMatchObject({ verdict: 'deny' });
    expect(decided(rule('c', 'transform', '@redact("amount")'), { amount: 9 }).decision).toMatchObject({
      verdict: 'deny',
      reason: { key: 'policyInputChanged' },
    });
  });

  it.each([
    ['no way', rule('a', 'transform', ''), 'has one of @mask'],
    ['two ways', rule('a', 'transform', '@mask("note") @cap("amount 5")'), 'has one of @mask'],
    ['a cap without a limit', rule('a', 'transform', '@cap("amount")'), 'has one of @mask'],
    ['another verdict', rule('a', 'deny', '@mask("note")'), 'only a rule with @verdict("transform")'],
    ['no tool', rule('a', 'transform', '@mask("note")').replace('action == Action::"crm/refund"', 'action'), 'names its tool'],
    ['a field that is not there', rule('a', 'transform', '@mask("sum")'), 'no field that @mask can change: sum'],
    ['a number to mask', rule('a', 'transform', '@mask("amount")'), 'no field that @mask can change: amount'],
    ['a text to cap', rule('a', 'transform', '@cap("note 5")'), 'no field that @cap can change: note'],
    ['half a whole number', rule('a', 'transform', '@cap("order 2.5")'), 'no field that @cap can change: order'],
  ])('is named before it is published with %s', (_what, text, says) => {
    expect(validatePolicyText(text, TOOLS)).toContainEqual(expect.objectContaining({ line: 1, message: expect.stringContaining(says) }));
  });
});

describe('a change', () => {
  const change: fc.Arbitrary<FieldChange> = fc.oneof(
    fc.record({
      how: fc.constantFrom('mask' as const, 'redact' as const),
      path: fc.constantFrom<string[]>(['note'], ['payee', 'iban'], ['amount']),
    }),
    fc.record({
      how: fc.constant('cap' as const),
      path: fc.constantFrom<string[]>(['amount'], ['note']),
      limit: fc.integer({ min: -5, max: 5 }),
    }),
  );
  const input = fc.record(
    {
      amount: fc.integer({ min: -9, max: 9 }),
      note: fc.string({ unit: 'grapheme' }),
      payee: fc.record({ iban: fc.string() }, { requiredKeys: [] }),
      other: fc.jsonValue() as fc.Arbitrary<Json>,
    },
    { requiredKeys: [] },
  );

  it('made again changes nothing, touches no other field, and leaves no more of a text than its end', () => {
    fc.assert(
      fc.property(input, fc.array(change, { maxLength: 4 }), (given, changes) => {
        const once = applyChanges(given as { [key: string]: Json }, changes);
        expect(applyChanges(once, changes)).toEqual(once);
        expect(Object.keys(once)).toEqual(Object.keys(given));
        expect(once.other).toEqual(given.other);
        for (const { how, path } of changes) {
          if (path[0] !== 'note' || how === 'cap' || typeof given.note !== 'string') continue;
          if (how === 'redact') expect(once.note === '[redacted]' || String(once.note).includes('•')).toBe(true);
          const letters = [...given.note];
          if (how === 'mask' && letters.length > 0 && changes.every((one) => one.how !== 'redact'))
            expect([...String(once.note)].filter((sign) => sign !== '•').length).toBeLessThanOrEqual(Math.min(4, letters.length / 2));
        }
        for (const one of changes)
          if (one.how === 'cap' && one.path[0] === 'amount' && typeof once.amount === 'number')
            expect(once.amount).toBeLessThanOrEqual(one.limit);
      }),
    );
    expect(readChange('cap', 'payee.amount 500.5')).toEqual({ how: 'cap', path: ['payee', 'amount'], limit: 500.5 });
    expect([readChange('mask', ''), readChange('mask', 'a..b'), readChange('mask', 'a b'), readChange('cap', 'a x')]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
