import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { ROLES } from '#app/contracts/people.ts';
import { RISKS } from '#app/contracts/statuses.ts';
import { PLAIN_EXAMPLE, type PolicyExample } from '#app/domain/audit/policy-example.ts';
import { type RuleCondition, type RuleForm, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';
import { COMPARISONS_OF, type InputCondition } from '#app/domain/audit/rule-input.ts';
import { analyseRules } from '#app/engine/policy/analysis/analyse-rules.ts';
import { runExamples } from '#app/engine/policy/examples/run-examples.ts';
import { validatePolicyText } from '#app/engine/policy/inputs/check-inputs.ts';
import { writeRule } from '#app/engine/policy/rule-text.ts';

const TOOLS = new Map<string, Json>([
  [
    'crm/refund',
    {
      type: 'object',
      required: ['amount', 'order'],
      properties: {
        ...{ amount: { type: 'number' }, order: { type: 'integer' }, express: { type: 'boolean' } },
        ...{ country: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
      },
    },
  ],
]);
const REFUND = 'action == Action::"crm/refund"';
const rule = (id: string, condition: string, { verdict = 'deny', scope = 'principal, action, resource', terms = '' } = {}) =>
  `@id("${id}") @verdict("${verdict}") @reason("R.") ${terms}\nforbid(${scope})${condition === '' ? '' : `\nwhen { ${condition} }`};\n`;
const input = (id: string, condition: string, more: Parameters<typeof rule>[2] = {}) =>
  rule(id, condition, { scope: `principal, ${REFUND}, resource`, ...more });
const over = (limit: string) => `context.input.amount.greaterThan(decimal("${limit}"))`;
const under = (limit: string) => `context.input.amount.lessThan(decimal("${limit}"))`;
const country = (test: string) => `context.input has country && context.input.country ${test}`;

/** Forty policies whose authors mean well: what is said of each, and the line at which the rule of which it is said begins. */
const HOSTILE: readonly [what: string, text: string, says: RegExp, line: number][] = [
  ['two risks at once', rule('a', 'context.risk == "high" && context.risk == "low"'), /never applies|impossible/, 1],
  ['two modes at once', rule('a', 'context.mode == "live" && context.mode == "test"'), /never applies/, 1],
  ['neither of the two modes', rule('a', 'context.mode != "live" && context.mode != "test"'), /never applies/, 1],
  ['no risk at all', rule('a', '!(context.risk == "low" || context.risk == "medium" || context.risk == "high")'), /never applies/, 1],
  ['two days at once', rule('a', 'context.weekday == "monday" && context.weekday == "sunday"'), /never applies/, 1],
  ['no day of the week', rule('a', `!(${WEEKDAYS.map((day) => `context.weekday == "${day}"`).join(' || ')})`), /never applies/, 1],
  ['two connections at once', rule('a', 'resource.connection.slug == "a" && resource.connection.slug == "b"'), /never applies/, 1],
  ['a name that is and is not', rule('a', 'resource.name == "pay" && resource.name != "pay"'), /never applies/, 1],
  ['before and after an hour', rule('a', 'context.hour >= 18 && context.hour < 9'), /never applies/, 1],
  ['an hour before midnight', rule('a', 'context.hour < 0'), /never applies/, 1],
  ['fewer findings than none', rule('a', 'context.findings < 0'), /never applies/, 1],
  ['a cost below nothing', rule('a', 'context.costInRun.lessThan(decimal("0.0"))'), /never applies/, 1],
  [
    'no personal data, and a kind of it',
    rule('a', 'context.personalData.isEmpty() && context.personalData.contains("iban")'),
    /never applies/,
    1,
  ],
  ['a truth and its opposite', rule('a', 'context.requesterIsAuthor && !context.requesterIsAuthor'), /never applies/, 1],
  ['an amount over and under', input('a', `${over('500.0')} && ${under('100.0')}`), /never applies/, 1],
  ['an amount over itself', input('a', `${over('500.0')} && context.input.amount == decimal("500.0")`), /never applies/, 1],
  ['a whole number between two neighbours', input('a', 'context.input.order > 4 && context.input.order < 5'), /never applies/, 1],
  ['a country that is two', input('a', `${country('== "DE"')} && context.input.country == "FR"`), /never applies/, 1],
  ['a country that begins otherwise', input('a', `${country('== "DE"')} && context.input.country like "F*"`), /never applies/, 1],
  ['two beginnings', input('a', `${country('like "D*"')} && context.input.country like "F*"`), /never applies/, 1],
  ['a missing field with a value', input('a', `!(context.input has country) && (${country('== "DE"')})`), /never applies|impossible/, 1],
  [
    'a tag that is and is not there',
    input('a', 'context.input has tags && context.input.tags.contains("x") && !(context.input.tags.contains("x"))'),
    /never applies/,
    1,
  ],
  ['another tool by name', input('a', 'resource.name == "pay"'), /never applies/, 1],
  ['another connection by name', input('a', 'resource.connection.slug == "bank"'), /never applies/, 1],
  ['everything denied', rule('a', ''), /"a" denies every call/, 1],
  ['everything denied at any hour', rule('a', 'context.hour >= 0'), /"a" denies every call/, 1],
  ['every refund denied', input('a', ''), /"a" denies every call of crm\/refund/, 1],
  [
    'live and test denied',
    rule('a', 'context.mode == "live"') + rule('b', 'context.mode == "test"'),
    /"b" and "a" together deny every call/,
    4,
  ],
  [
    'by day and by night denied',
    rule('a', 'context.hour >= 8') + rule('b', 'context.hour < 12'),
    /"b" and "a" together deny every call/,
    4,
  ],
  ['a limit below a stricter one', input('a', over('500.0')) + input('b', over('900.0')), /"b" has no effect: "a"/, 4],
  [
    'a warning of what is denied',
    rule('a', 'context.risk == "high"') + rule('b', 'context.risk == "high" && context.mode == "live"', { verdict: 'warn' }),
    /"b" has no effect: "a"/,
    4,
  ],
  [
    'two approvers under three',
    input('a', over('500.0'), { verdict: 'require_approval', terms: '@approvers("3")' }) +
      input('b', over('900.0'), { verdict: 'require_approval', terms: '@approvers("2")' }),
    /"b" has no effect: "a"/,
    4,
  ],
  ['a rule that comes before a wider one', input('b', country('== "DE"')) + input('a', country('like "D*"')), /"b" has no effect: "a"/, 1],
  ['the same twice', rule('a', 'context.risk == "high"') + rule('b', 'context.risk == "high"'), /"b" has no effect: "a"/, 4],
  [
    'the same with two verdicts',
    rule('a', 'context.risk == "high"', { verdict: 'warn' }) + rule('b', 'context.risk == "high"'),
    /"b" contradicts "a"/,
    4,
  ],
  [
    'a role inside everybody',
    rule('a', 'context.mode == "live"') + rule('b', 'context.mode == "live"', { scope: 'principal in Role::"user", action, resource' }),
    /"b" has no effect: "a"/,
    4,
  ],
  [
    'a tool inside all tools',
    rule('a', 'context.risk == "high"', { scope: 'principal, action == Action::"call_tool", resource' }) +
      input('b', 'context.risk == "high"'),
    /"b" has no effect: "a"/,
    4,
  ],
  ['a text for a number', input('a', 'context.input.amount == "500"'), /crm\/refund: .*types/, 3],
  ['a number that is a decimal', input('a', 'context.input.amount > 500'), /expected Long but saw decimal/, 3],
  ['a field that may be missing', input('a', 'context.input.country == "DE"'), /optional attribute `input.country`/, 3],
  ['a field that is not there', input('a', 'context.input.sum > 3'), /attribute `input.sum`/, 3],
  ['a fact that is not there', rule('a', 'context.amount > 3'), /attribute `amount`/, 3],
];

describe('before a policy is published', () => {
  it.each(HOSTILE)('%s is named with its line', (_what, text, says, line) => {
    const issues = [...validatePolicyText(text, TOOLS), ...analyseRules(text).notes];
    expect(issues).toContainEqual(expect.objectContaining({ message: expect.stringMatching(says), line }));
  });

  it.each<[string, string]>([
    ['two limits with two verdicts', input('a', over('500.0'), { verdict: 'require_approval' }) + input('b', over('900.0'))],
    [
      'a warning below an approval, which shows once it is approved',
      input('a', over('500.0'), { verdict: 'require_approval' }) + input('b', over('900.0'), { verdict: 'warn' }),
    ],
    [
      'more approvers for more',
      input('a', over('500.0'), { verdict: 'require_approval' }) +
        input('b', over('900.0'), { verdict: 'require_approval', terms: '@approvers("2")' }),
    ],
    [
      'a rule in monitor mode beside the same',
      rule('a', 'context.risk == "high"') + rule('b', 'context.risk == "high"', { terms: '@mode("monitor")' }),
    ],
    ['what only a text can say', rule('a', 'context.risk == "high" || context.risk == "low"') + rule('b', 'context.risk == "high"')],
    [
      'a field that may be missing under and over',
      input('a', country('== "DE"')) + input('b', `!(${country('== "DE"')})`, { verdict: 'warn' }),
    ],
  ])('nothing is said of %s', (_what, text) => {
    expect(validatePolicyText(text, TOOLS)).toEqual([]);
    expect(analyseRules(text)).toEqual({ faults: [], notes: [] });
  });
});

/** Few values, so that rules and calls often meet. */
const CONDITIONS: readonly Omit<RuleCondition, 'holds'>[] = [
  ...(
    ['riskHigh', 'riskLow', 'modeLive', 'modeTest', 'requesterIsAuthor', 'connectionBuiltIn', 'personalData', 'somebodyApproved'] as const
  ).map((test) => ({ test, value: '' })),
  ...['iban', 'email'].map((value) => ({ test: 'personalDataKind' as const, value })),
  ...['0', '8', '20', '23'].map((value) => ({ test: 'hourAtLeast' as const, value })),
  ...['0', '1.5', '2'].map((value) => ({ test: 'costAtLeast' as const, value })),
  ...['refund', 'pay'].map((value) => ({ test: 'nameIs' as const, value })),
  { test: 'newPayee', value: '' },
  ...['0', '1', '2'].map((value) => ({ test: 'payeeCallsAtLeast' as const, value })),
  ...['Treasury', 'Sales'].map((value) => ({ test: 'groupIs' as const, value })),
  ...['monday', 'sunday'].map((value) => ({ test: 'weekdayIs' as const, value })),
];
const FIELDS = [
  { path: ['amount'], kind: 'decimal', guarded: false, values: ['-1', '0', '1', '1.5'] },
  { path: ['order'], kind: 'whole', guarded: false, values: ['-1', '0', '1', '2'] },
  { path: ['country'], kind: 'text', guarded: true, values: ['D', 'DE', 'E'] },
  { path: ['express'], kind: 'truth', guarded: true, values: [''] },
  { path: ['tags'], kind: 'list', guarded: true, values: ['x', 'y'] },
] as const;
const inputCondition = fc
  .record({ field: fc.constantFrom(...FIELDS), pick: fc.nat(), of: fc.nat(), holds: fc.boolean() })
  .map(({ field: { path, kind, guarded, values }, pick, of, holds }): InputCondition => {
    const offered = [...COMPARISONS_OF[kind], ...(guarded ? (['given'] as const) : [])];
    const comparison = offered[pick % offered.length] ?? 'is';
    if (comparison === 'given') return { path, kind: null, comparison, value: '', holds, guarded: false };
    return { path, kind, comparison, value: values[of % values.length] ?? '', holds, guarded };
  });
const form = (id: string): fc.Arbitrary<RuleForm> =>
  fc
    .record({
      role: fc.constantFrom('' as const, 'user' as const, 'builder' as const),
      tool: fc.constantFrom('', 'crm/refund', 'crm/refund'),
      conditions: fc.array(
        fc.record({ one: fc.constantFrom(...CONDITIONS), holds: fc.boolean() }).map(({ one, holds }) => ({ ...one, holds })),
        { maxLength: 2 },
      ),
      inputs: fc.array(inputCondition, { maxLength: 3 }),
      actions: fc.subarray(['call_tool', 'call_agent'] as const),
    })
    .map((made) => ({
      ...{ id, verdict: 'deny' as const, reason: 'R.', approvers: '', dueHours: '', monitors: false },
      ...{ deciders: '' as const, group: '', reauthenticate: '' as const, change: null },
      ...made,
      ...(made.tool === '' ? { inputs: [] } : { actions: [] }),
    }));
const call: fc.Arbitrary<PolicyExample> = fc
  .record({
    call: fc.constantFrom('crm/refund', 'crm/refund', 'call_tool', 'call_agent'),
    fields: fc.record(
      {
        ...{ amount: fc.constantFrom(-1, 0, 0.5, 1, 1.5, 2), order: fc.integer({ min: -2, max: 3 }) },
        ...{ country: fc.constantFrom('D', 'DE', 'DEF', 'E'), express: fc.boolean(), tags: fc.subarray(['x', 'y', 'z']) },
      },
      { requiredKeys: ['amount', 'order'] },
    ),
    facts: fc.record({
      ...{ mode: fc.constantFrom('live' as const, 'test' as const), role: fc.constantFrom(...ROLES), risk: fc.constantFrom(...RISKS) },
      ...{ requesterIsAuthor: fc.boolean(), builtin: fc.boolean(), personalData: fc.subarray(['iban', 'email']) },
      ...{
        hour: fc.constantFrom(0, 7, 8, 21, 23),
        costInRun: fc.constantFrom(0, 1, 1.5, 3),
        weekday: fc.constantFrom('monday' as const, 'sunday' as const),
      },
      ...{ callsToPayee: fc.constantFrom(0, 1, 2), groups: fc.subarray(['Treasury', 'Sales']) },
      ...{ approvals: fc.constantFrom(0, 1), capability: fc.constantFrom('refund', 'pay') },
    }),
  })
  .map(({ call: called, fields, facts }) => ({
    ...PLAIN_EXAMPLE,
    ...facts,
    name: 'C',
    call: called,
    input: called.includes('/') ? fields : {},
  }));

describe('what is said of rules', () => {
  it('is true of every call: what never applies does not, what has no effect changes nothing, what denies everything does', () => {
    let said = 0;
    fc.assert(
      fc.property(form('a'), form('b'), fc.array(call, { minLength: 6, maxLength: 12 }), (one, other, calls) => {
        const [a, b] = [writeRule(one), writeRule(other)];
        const { faults, notes } = analyseRules(`${a}\n${b}\n`);
        const applies = (text: string) => runExamples(text, calls, TOOLS).map(({ reason }) => reason.key === 'policyStated');
        // what Cedar itself says of a text is refused before anything is said of its rules
        if (validatePolicyText(`${a}\n${b}\n`, TOOLS).some(({ message }) => !message.includes('never applies'))) return;
        for (const { message } of [...faults, ...notes]) {
          said += 1;
          const [id, by] = [...message.matchAll(/"([ab])"/g)].map((match) => match[1]);
          const mine = applies(id === 'a' ? a : b);
          if (message.includes('never applies')) expect(mine).not.toContain(true);
          if (message.includes('has no effect')) {
            const theirs = applies(by === 'a' ? a : b);
            expect(mine.every((applied, index) => !applied || theirs[index])).toBe(true);
          }
          if (/den(?:y|ies) every/.test(message)) {
            const denied = by === undefined ? mine : applies(`${a}\n${b}\n`);
            const about = id === 'a' ? one : other;
            const meant = calls.map(({ call: called }) =>
              about.tool !== ''
                ? called === about.tool
                : about.actions.length === 0 || about.actions.some((action) => action === (called.includes('/') ? 'call_tool' : called)),
            );
            expect(meant.every((isMeant, index) => !isMeant || denied[index])).toBe(true);
          }
        }
      }),
      { numRuns: process.env.QUORATE_TEST_FULL ? 10_000 : 100 },
    );
    expect(said).toBeGreaterThan(10);
  });
});
