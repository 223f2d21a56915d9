import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { ROLES } from '#app/contracts/people.ts';
import type { FieldChange } from '#app/domain/audit/field-change.ts';
import {
  CONDITION_TESTS,
  COUNT_MAX,
  type ConditionTest,
  isCost,
  isCounted,
  RULE_ACTIONS,
  RULE_VERDICTS,
  type RuleCondition,
  type RuleForm,
  WEEKDAYS,
} from '#app/domain/audit/policy-rule.ts';
import { COMPARISONS_OF, type InputCondition, type InputKind } from '#app/domain/audit/rule-input.ts';
import { validatePolicyText } from '#app/engine/policy/inputs/check-inputs.ts';
import { toolFields } from '#app/engine/policy/inputs/tool-fields.ts';
import { appendRule, findRule, readRules, replaceRule } from '#app/engine/policy/policy-rules.ts';
import { readPolicyText } from '#app/engine/policy/policy-text.ts';
import { readRuleForm, writeRule } from '#app/engine/policy/rule-text.ts';
import { SHIPPED_POLICIES } from '#app/engine/policy/shipped/shipped-policies.ts';

const rule = (condition: string, id = 'a') =>
  `@id("${id}")\n@verdict("deny")\n@reason("No.")\nforbid(principal, action, resource)\nwhen { ${condition} };`;
const conditionsOf = (condition: string) => readRuleForm(rule(condition))?.conditions;

/** A word as a field gives it: no blanks around it, no control letters. */
const word = fc
  .string({ minLength: 1, maxLength: 40, unit: 'binary' })
  .map((text) => text.replace(/\p{Cc}/gu, '').trim())
  .filter((text) => text !== '' && text.isWellFormed());
const NAMED: readonly ConditionTest[] = ['personalDataKind', 'connectionIs', 'nameIs', 'workflowIs', 'agentIs', 'hostIs', 'groupIs'];
const condition: fc.Arbitrary<RuleCondition> = fc
  .record({
    test: fc.constantFrom(...CONDITION_TESTS),
    holds: fc.boolean(),
    word,
    count: fc.integer({ min: 0, max: 999_999 }),
    day: fc.constantFrom(...WEEKDAYS),
  })
  .map(({ test, holds, ...made }) => ({ test, holds, value: valueFor(test, made) }));
function valueFor(test: ConditionTest, made: { word: string; count: number; day: string }): string {
  if (isCounted(test)) return String(made.count % (COUNT_MAX[test] + 1));
  if (isCost(test)) return String(made.count / 10_000);
  if (test === 'weekdayIs') return made.day;
  return NAMED.includes(test) ? made.word : '';
}
/** Fields of one tool; the third may be missing, and lies in another. */
const FIELDS = [
  { path: ['amount'], kind: 'decimal', optional: false },
  { path: ['order'], kind: 'whole', optional: false },
  { path: ['payee', 'country'], kind: 'text', optional: true },
  { path: ['if', 'a "b"\\ *c'], kind: 'text', optional: true },
  { path: ['express'], kind: 'truth', optional: true },
  { path: ['tags'], kind: 'list', optional: true },
] as const;
const inputCondition: fc.Arbitrary<InputCondition> = fc
  .record({
    field: fc.constantFrom(...FIELDS),
    pick: fc.nat(),
    holds: fc.boolean(),
    word,
    number: fc.integer({ min: -9_000_000_000_000, max: 9_000_000_000_000 }),
  })
  .map(({ field: { path, kind, optional }, pick, holds, word: text, number }) => {
    const offered = [...COMPARISONS_OF[kind], ...(optional ? (['given'] as const) : [])];
    const comparison = offered[pick % offered.length] ?? 'is';
    if (comparison === 'given') return { path, kind: null, comparison, value: '', holds, guarded: false };
    const value = kind === 'truth' ? '' : kind === 'decimal' ? String(number / 10_000) : kind === 'whole' ? String(number) : text;
    return { path, kind, comparison, value, holds, guarded: optional };
  });
const withTool = (made: RuleForm): RuleForm => {
  const changed = made.verdict === 'transform' ? { ...made, tool: made.tool === '' ? 'crm/refund' : made.tool } : { ...made, change: null };
  return changed.tool === '' ? { ...changed, inputs: [] } : { ...changed, actions: [] };
};
const form: fc.Arbitrary<RuleForm> = fc
  .record({
    tool: fc.constantFrom('', 'crm/refund', 'crm/"x"'),
    inputs: fc.array(inputCondition, { maxLength: 5 }),
    id: fc.stringMatching(/^[a-z][a-z0-9_.-]{0,20}$/),
    verdict: fc.constantFrom(...RULE_VERDICTS),
    reason: word,
    role: fc.constantFrom('' as const, ...ROLES),
    actions: fc.subarray([...RULE_ACTIONS], { maxLength: 2 }),
    conditions: fc.array(condition, { maxLength: 6 }),
    approvers: fc.constantFrom('', '1', '2', '9'),
    dueHours: fc.constantFrom('', '4', '720'),
    deciders: fc.constantFrom('' as const, 'admin' as const),
    group: fc.constantFrom('', 'Treasury', 'Größe "x"'),
    reauthenticate: fc.constantFrom('' as const, 'password' as const, 'factor' as const),
    change: fc.constantFrom<FieldChange>(
      { how: 'mask', path: ['payee', 'iban'] },
      { how: 'redact', path: ['note'] },
      { how: 'cap', path: ['amount'], limit: 500.5 },
    ),
    monitors: fc.boolean(),
  })
  .map(withTool);
/** The text says first what must be, then what must not be. */
const byHolds = <One extends { holds: boolean }>(all: readonly One[]) => [
  ...all.filter(({ holds }) => holds),
  ...all.filter(({ holds }) => !holds),
];
const inOrder = (written: RuleForm): RuleForm => ({
  ...written,
  conditions: byHolds(written.conditions),
  inputs: byHolds(written.inputs),
});
const schemaOf = (kind: InputKind): { [key: string]: Json } =>
  kind === 'list'
    ? { type: 'array', items: { type: 'string' } }
    : { type: { decimal: 'number', whole: 'integer', text: 'string', truth: 'boolean' }[kind] };
const TOOL = {
  type: 'object',
  required: ['amount', 'order'],
  properties: {
    amount: schemaOf('decimal'),
    order: schemaOf('whole'),
    payee: { type: 'object', properties: { country: schemaOf('text') } },
    if: { type: 'object', properties: { 'a "b"\\ *c': schemaOf('text') } },
    express: schemaOf('truth'),
    tags: schemaOf('list'),
  },
} satisfies Json;

describe('a rule in the form', () => {
  it('is written as Cedar that reads back as the same rule, whatever was entered', () => {
    fc.assert(
      fc.property(form, (made) => {
        const text = writeRule(made);
        const read = readRuleForm(text);
        expect(read).toEqual(inOrder(made));
        // byte for byte, however often
        expect(writeRule(read ?? made)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  it('asks of the input of its tool what the schema of the tool has', () => {
    fc.assert(
      fc.property(form, (made) => {
        const tools = new Map(['crm/refund', 'crm/"x"'].map((name) => [name, TOOL]));
        // Cedar also says of some combinations that they never match, and of some words that they look like others
        const issues = validatePolicyText(writeRule({ ...made, verdict: 'require_approval' }), tools);
        expect(issues.filter(({ message }) => /attribute|expected|approv/.test(message))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('has the fields of a tool in their order, with type and bounds', () => {
    expect(toolFields(TOOL).map(({ path, kind, optional }) => ({ path, kind, optional }))).toEqual(FIELDS);
    const bounded = { type: 'object', properties: { sum: { type: 'number', minimum: 0, maximum: 50 }, to: { enum: ['DE', 'FR'] } } };
    expect(toolFields(bounded).map(({ bounds }) => bounds)).toEqual([
      { least: 0, most: 50, longest: null, values: [] },
      { least: null, most: null, longest: null, values: ['DE', 'FR'] },
    ]);
  });

  it.each<[string, Partial<InputCondition>[]]>([
    ['context.input has a && context.input.a == "x"', [{ path: ['a'], comparison: 'is', guarded: true }]],
    ['context.mode == "live" && context.input has a && context.input.a like "x*"', [{ comparison: 'begins', value: 'x', guarded: true }]],
    ['context.input has a.b && context.input.a.b > -3', [{ path: ['a', 'b'], comparison: 'above', value: '-3', guarded: true }]],
    ['context.input.n != 5', [{ comparison: 'is', kind: 'whole', value: '5', holds: false }]],
    ['!(context.input has a)', [{ path: ['a'], comparison: 'given', holds: false }]],
    ['context.input has a && context.input.a != "x"', [{ comparison: 'given' }, { comparison: 'is', holds: false, guarded: false }]],
    ['context.input.n == decimal("5.10")', [{ kind: 'decimal', value: '5.1' }]],
  ])('understands of an input %s', (text, inputs) => {
    const read = readRuleForm(rule(text).replace('principal, action', 'principal, action == Action::"crm/refund"'));
    expect(read?.inputs).toHaveLength(inputs.length);
    inputs.forEach((one, index) => {
      expect(read?.inputs[index]).toMatchObject(one);
    });
  });

  it.each([
    'context.input.a like "x"',
    'context.input.a like "x*y*"',
    'context.input.a == context.input.b',
    'context.input.express == true',
    'context.input == context.input',
    '!(context.input has a && context.input.b == "x")',
    'context.input.list.contains(3)',
    'context.input.n == decimal("5")',
  ])('leaves to the text of an input %s', (text) => {
    expect(readRuleForm(rule(text).replace('principal, action', 'principal, action == Action::"crm/refund"'))).toBeNull();
    expect(readRuleForm(rule('context.input.n > 3'))).toBeNull();
  });

  it.each(CONDITION_TESTS)('asks of %s what the schema knows', (test) => {
    const value = valueFor(test, { word: 'iban', count: 3, day: 'sunday' });
    for (const holds of [true, false]) {
      const made: RuleForm = {
        id: 'a',
        verdict: 'warn',
        reason: 'Why',
        role: 'builder',
        actions: ['call_tool'],
        tool: '',
        inputs: [],
        conditions: [{ test, holds, value }],
        approvers: '',
        dueHours: '',
        deciders: '',
        group: '',
        reauthenticate: '',
        change: null,
        monitors: false,
      };
      const text = writeRule(made);
      expect(readPolicyText(text).issues).toEqual([]);
      expect(writeRule(readRuleForm(text) ?? made)).toBe(text);
    }
  });

  it.each(SHIPPED_POLICIES.map((policy) => [policy.name, policy.text] as const))('shows all of %s', (_name, text) => {
    const rules = readRules(text);
    expect(rules?.every((part) => part.form !== null)).toBe(true);
  });

  it.each<[string, RuleCondition[]]>([
    [
      '!(context.risk == "low" || context.mode == "test")',
      [
        { test: 'riskLow', holds: false, value: '' },
        { test: 'modeTest', holds: false, value: '' },
      ],
    ],
    [
      'context.risk != "low" && !resource.connection.builtin',
      [
        { test: 'riskLow', holds: false, value: '' },
        { test: 'connectionBuiltIn', holds: false, value: '' },
      ],
    ],
    ['context.findings > 2', [{ test: 'findingsAtLeast', holds: true, value: '3' }]],
    ['context.findings <= 2', [{ test: 'findingsAtLeast', holds: false, value: '3' }]],
    [
      'context.callsToPayee == 0 && context.callsToPayee < 2',
      [
        { test: 'newPayee', holds: true, value: '' },
        { test: 'payeeCallsAtLeast', holds: false, value: '2' },
      ],
    ],
    [
      'context.callsToPayee != 0 && context.initiatorGroups.contains("Treasury")',
      [
        { test: 'newPayee', holds: false, value: '' },
        { test: 'groupIs', holds: true, value: 'Treasury' },
      ],
    ],
    ['context.costToday.greaterThanOrEqual(decimal("5000.0"))', [{ test: 'costTodayAtLeast', holds: true, value: '5000' }]],
    ['context.costInRun.lessThan(decimal("12.50"))', [{ test: 'costAtLeast', holds: false, value: '12.5' }]],
    ['context.hour < 9', [{ test: 'hourAtLeast', holds: false, value: '9' }]],
    ['context.personalData.isEmpty()', [{ test: 'personalData', holds: false, value: '' }]],
  ])('understands %s', (text, conditions) => {
    expect(conditionsOf(text)).toEqual(conditions);
  });

  it.each([
    ['an or', 'context.risk == "high" || context.findings > 3'],
    ['a not of both', '!(context.risk == "high" && context.findings > 3)'],
    ['an equation of two facts', 'resource.name == resource.connection.slug'],
    ['a pattern', 'resource.name like "delete*"'],
    ['arithmetic', 'context.findings + 1 > 3'],
    ['an hour that no clock shows', 'context.hour >= 24'],
    ['a day that no week has', 'context.weekday == "someday"'],
    ['an amount over', 'context.costInRun.greaterThan(decimal("1.0"))'],
    ['an exact count', 'context.findings == 3'],
    ['if then else', 'if context.risk == "high" then true else false'],
    ['a word with a blank at its end', 'resource.name == "a "'],
    ['a comment inside', 'context.risk == "high" // since May\n'],
  ])('leaves to the text what it has no words for: %s', (_what, text) => {
    expect(conditionsOf(text)).toBeUndefined();
  });

  it('leaves to the text a rule for one member, with an annotation of its own, or with an id that two have', () => {
    expect(readRuleForm(rule('true').replace('principal,', 'principal == Member::"x",'))).toBeNull();
    expect(readRuleForm(`@owner("me")\n${rule('context.risk == "high"')}`)).toBeNull();
    const twice = `${rule('context.risk == "high"')}\n${rule('context.risk == "low"')}`;
    expect(readRules(twice)?.map((part) => part.form)).toEqual([null, null]);
    expect(readRules('forbid(')).toBeNull();
  });
});

describe('a document', () => {
  const text = `// @id("x") of old\n${rule('context.risk == "high"', 'one')}\n\n// keep me\n${rule('resource.name like "a*"', 'two')}\n${rule('context.mode == "test"', 'three')} // behind\n`;
  const partOf = (id: string) => findRule(text, id)?.text ?? '';

  it('changes one rule and no other letter', () => {
    const changed = rule('context.risk == "low"', 'one');
    expect(replaceRule(text, partOf('one'), changed)).toBe(text.replace(partOf('one'), changed));
  });

  it('finds the rule beside a comment of the same words', () => {
    const single = '@id("a") @verdict("deny") @reason("No.") forbid(principal, action, resource) when { context.risk == "high" };';
    const next = single.replace('high', 'low');
    expect(replaceRule(`// ${single}\n${single}\n`, single, next)).toBe(`// ${single}\n${next}\n`);
  });

  it('loses a rule, gains one, and keeps all comments', () => {
    const without = replaceRule(text, partOf('one'), null) ?? '';
    expect(readRules(without)).toHaveLength(2);
    expect(without).toContain('// @id("x") of old');
    expect(without).toContain('// keep me');
    const more = appendRule(without, rule('context.risk == "low"', 'four'));
    expect(more.startsWith(without.trimEnd())).toBe(true);
    expect(readRules(more)?.at(-1)?.form?.id).toBe('four');
    expect(readPolicyText(more).issues).toEqual([]);
    expect(replaceRule(text, rule('context.risk == "medium"', 'one'), null)).toBeNull();
  });
});
