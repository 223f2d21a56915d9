import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { decide } from '#app/engine/policy/decide.ts';
import type { DecisionRequest } from '#app/engine/policy/decision-request.ts';
import { validatePolicyText } from '#app/engine/policy/inputs/check-inputs.ts';
import { factsFromKept, InputUnfit, inputFacts } from '#app/engine/policy/inputs/input-facts.ts';
import { readToolInput } from '#app/engine/policy/inputs/input-type.ts';

const REFUND = {
  type: 'object',
  required: ['amount', 'order'],
  properties: {
    amount: { type: 'number' },
    order: { type: 'integer' },
    reason: { type: 'string' },
    express: { type: ['boolean', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
    payee: { type: 'object', required: ['country'], properties: { country: { enum: ['DE', 'FR'] }, iban: { type: 'string' } } },
    lines: { type: 'array', items: { type: 'object' } },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
  },
} satisfies Json;
const tools = new Map<string, Json>([
  ['crm/refund', REFUND],
  ['crm/close', { type: 'object', properties: {} }],
]);
const rule = (condition: string, { verdict = 'deny', action = 'action == Action::"crm/refund"', id = 'a' } = {}) =>
  `@id("${id}")\n@verdict("${verdict}")\n@reason("Because.")\nforbid(principal, ${action}, resource)\nwhen { ${condition} };\n`;
const OVER = 'context.input.amount.greaterThan(decimal("500.0"))';

const compile = (text: string, schemas: ReadonlyMap<string, Json> = tools) =>
  compilePolicies([{ policyId: 'p', policyName: 'Refunds', version: 1, text }], schemas);
/** Decides a call of `crm/refund`, or of another tool, with an input, as a run does. */
function decided(compiled: ReturnType<typeof compile>, input: { [key: string]: Json }, name = 'refund') {
  const action = `crm/${name}`;
  const tool = compiled.tools.get(action);
  const paths = tool?.unfit === null ? tool.paths : [];
  return decide(compiled, request(name, tool === undefined ? null : { action, ...inputFacts(tool.input, input, paths) }));
}
const request = (name: string, input: DecisionRequest['input']): DecisionRequest => ({
  workspaceId: 'w1',
  runId: 'r1',
  mode: 'live',
  initiator: { id: 'ann', roles: ['builder'] },
  action: 'call_tool',
  connection: { id: 'c1', slug: 'crm', kind: 'mcp', personalDataAllowed: true, builtin: false },
  capability: { id: 't1', name, kind: 'tool', state: 'approved' },
  facts: { personalData: [], risk: 'low', findings: 0 },
  input,
  circumstances: {
    workflow: { id: 'wf1', name: 'Refunds' },
    agent: '',
    requesterIsAuthor: false,
    host: 'crm.example',
    time: { at: '2026-11-26T21:30:00.000Z', zone: 'UTC', weekday: 'thursday', date: '2026-11-26', hour: 21 },
    callsInRun: 0,
    costInRunMicros: 0,
  },
});

describe('the input of a tool as rules see it', () => {
  it('has what Cedar has types for, and names what is left out', () => {
    const { type, leftOut } = readToolInput(REFUND);
    expect([...type.fields].map(([name, field]) => [name, field.type.kind, field.required])).toEqual([
      ['amount', 'decimal', true],
      ['order', 'whole', true],
      ['reason', 'text', false],
      ['express', 'truth', false],
      ['tags', 'list', false],
      ['payee', 'record', false],
    ]);
    expect(leftOut).toEqual(['/lines', '/either']);
  });

  it('is bounded in depth and in fields, whatever a peer declares', () => {
    const deep = (level: number): Json => ({ type: 'object', properties: level === 0 ? {} : { in: deep(level - 1) } });
    expect(readToolInput(deep(40)).leftOut).toEqual(['/in/in/in/in']);
    const wide = { properties: Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`f${n}`, { type: 'string' }])) };
    expect(readToolInput(wide).type.fields.size).toBe(100);
    expect(readToolInput(wide).leftOut).toHaveLength(150);
  });

  it.each<[string, { [key: string]: Json }]>([
    ['a text for a number', { amount: '501', order: 1 }],
    ['a missing field', { order: 1 }],
    ['null for a required field', { amount: null, order: 1 }],
    ['five digits behind the point', { amount: 500.00001, order: 1 }],
    ['more than Cedar counts', { amount: 1e21, order: 1 }],
    ['a fraction for a whole number', { amount: 1, order: 1.5 }],
    ['a whole number that JSON cannot hold', { amount: 1, order: 2 ** 53 }],
  ])('refuses %s', (_what, input) => {
    const { input: tool, paths } = compile(rule(`${OVER} && context.input.order > 0`)).tools.get('crm/refund') ?? {};
    expect(() => inputFacts(tool ?? readToolInput(null), input, paths ?? [])).toThrow(InputUnfit);
  });

  it('leaves out what no rule asks for, and so refuses nothing because of it', () => {
    const compiled = compile(rule(OVER));
    const facts = inputFacts(
      readToolInput(REFUND),
      { amount: 501, order: 'x', reason: 'y'.repeat(9_000) },
      compiled.tools.get('crm/refund')?.paths ?? [],
    );
    expect(facts.record).toEqual({ amount: { __extn: { fn: 'decimal', arg: '501.0' } } });
  });
});

describe('a rule about a tool', () => {
  it.each([
    ['a limit by payee', 'context.callsToPayee >= 10', 'allow'],
    ['a new payee', 'context.callsToPayee == 0', 'deny'],
    ['no payee', OVER, 'deny'],
  ] as const)('that asks for %s refuses a call that names nobody', (_what, condition, known) => {
    const compiled = compile(rule(condition));
    const outside = { groups: [], callsToday: 0, costTodayMicros: 0, callsToPayee: 0 };
    const { tools } = compiled;
    const facts = inputFacts(readToolInput(REFUND), { amount: 501, order: 1 }, tools.get('crm/refund')?.paths ?? []);
    const asked = request('refund', { action: 'crm/refund', ...facts });
    const of = (payee: string | null) =>
      decide(compiled, { ...asked, circumstances: asked.circumstances && { ...asked.circumstances, outside, payee } });
    expect(of('a payee').verdict).toBe(known);
    expect(of(null)).toMatchObject({ verdict: 'deny', reason: { key: condition === OVER ? 'policyStated' : 'policyFailed' } });
  });

  it.each([
    [500, 'allow'],
    [500.01, 'deny'],
    [-3, 'allow'],
  ])('decides a refund of %d: %s', (amount, verdict) => {
    expect(decided(compile(rule(OVER)), { amount, order: 1 }).verdict).toBe(verdict);
  });

  it('says nothing about other tools, and rules about all calls still decide this one', () => {
    const compiled = compile(
      rule(OVER) + rule('context.mode == "live"', { verdict: 'warn', action: 'action == Action::"call_tool"', id: 'b' }),
    );
    expect(decided(compiled, { amount: 501, order: 1 }, 'close')).toMatchObject({ verdict: 'warn', rules: [{ rule: 'b' }] });
    expect(decided(compiled, { amount: 501, order: 1 })).toMatchObject({ verdict: 'deny', rules: [{ rule: 'a' }, { rule: 'b' }] });
    expect(decided(compiled, { amount: 1, order: 1 })).toMatchObject({ verdict: 'warn', rules: [{ rule: 'b' }] });
  });

  it('asks for fields inside others, for lists, and for fields that may be missing', () => {
    const compiled = compile(
      rule('context.input has payee.country && context.input.payee.country == "FR"') +
        rule('context.input has tags && context.input.tags.contains("vip")', { id: 'b', verdict: 'warn' }) +
        rule('!(context.input has reason)', { id: 'c', verdict: 'require_approval' }),
    );
    const base = { amount: 1, order: 1, reason: 'Broken' };
    expect(decided(compiled, { ...base, payee: { country: 'FR' } }).verdict).toBe('deny');
    expect(decided(compiled, { ...base, payee: { country: 'DE' } }).verdict).toBe('allow');
    expect(decided(compiled, { ...base, tags: ['vip'] }).verdict).toBe('warn');
    expect(decided(compiled, { ...base, reason: null }).verdict).toBe('require_approval');
  });

  it('cannot be asked without the input: nothing fails open', () => {
    const compiled = compile(rule('context.input has reason && context.input.reason == "x"'));
    const unknown: DecisionRequest['input'][] = [
      null,
      { action: 'crm/refund', record: {}, paths: [] },
      { action: 'crm/refund', record: {}, paths: [['order']] },
    ];
    for (const input of unknown)
      expect(decide(compiled, request('refund', input))).toMatchObject({ verdict: 'deny', reason: { key: 'policyInputUnfit' } });
    // a context behind an expression hides which fields are asked for: then it is the whole input
    const hidden = compile(rule('(if context.mode == "live" then context else context).input has reason'));
    expect(decided(hidden, { amount: 1, order: 1, reason: 'x' }).verdict).toBe('deny');
  });

  it('is not left out of a call without input where it compares nothing of it', () => {
    const compiled = compile(rule('context.mode == "live"'));
    expect(decide(compiled, request('refund', null))).toMatchObject({ verdict: 'deny', reason: { key: 'policyFailed' } });
    expect(decided(compiled, {})).toMatchObject({ verdict: 'deny', rules: [{ rule: 'a' }] });
  });

  it('that no longer fits its tool refuses the calls of this tool, and of no other', () => {
    const renamed = new Map([...tools, ['crm/refund', { type: 'object', properties: { total: { type: 'number' } } }] as const]);
    const compiled = compile(rule(OVER), renamed);
    expect(compiled.unreadable).toBeNull();
    expect(decided(compiled, { total: 1 })).toMatchObject({
      verdict: 'deny',
      reason: { key: 'policyInputChanged', values: { policy: 'Refunds' } },
      rules: [{ policyId: 'p', rule: 'a', verdict: 'deny' }],
    });
    expect(decided(compiled, { total: 1 }, 'close').verdict).toBe('allow');
  });

  it('in monitor mode refuses nothing: neither where it does not fit, nor where the input does not', () => {
    const monitor = rule(OVER).replace('@reason', '@mode("monitor")\n@reason');
    const renamed = new Map([['crm/refund', { type: 'object', properties: { total: { type: 'number' } } }]]);
    expect(decided(compile(monitor, renamed), { total: 1 }).verdict).toBe('allow');
    expect(decide(compile(monitor), request('refund', null)).verdict).toBe('allow');
    const both = compile(monitor + rule('context.input.order > 5', { id: 'b' }));
    expect(decide(both, request('refund', { action: 'crm/refund', record: { order: 3 }, paths: [['order']] })).verdict).toBe('allow');
    expect(decide(both, request('refund', { action: 'crm/refund', record: { order: 6 }, paths: [['order']] })).verdict).toBe('deny');
  });

  it('never decides by a field otherwise than by the same number in the text, whatever the amount', () => {
    const compiled = compile(rule(OVER));
    fc.assert(
      fc.property(fc.integer({ min: -9_000_000_000, max: 9_000_000_000 }), (tenThousandths) => {
        const amount = tenThousandths / 10_000;
        expect(decided(compiled, { amount, order: 1 }).verdict).toBe(amount > 500 ? 'deny' : 'allow');
      }),
    );
  });
});

describe('validation', () => {
  it.each<[string, string, { line: number; says: string }]>([
    ['accepts what fits', rule(OVER), { line: 0, says: '' }],
    ['an input without its tool', rule(OVER, { action: 'action' }), { line: 5, says: 'attribute `input` in context' }],
    ['an input of all tools', rule(OVER, { action: 'action == Action::"call_tool"' }), { line: 5, says: 'attribute `input` in context' }],
    [
      'a tool that is not approved',
      rule(OVER, { action: 'action == Action::"crm/pay"' }),
      { line: 1, says: 'no tool "crm/pay" is approved' },
    ],
    ['a field that is not there', rule('context.input.sum > 3'), { line: 5, says: 'crm/refund: attribute `input.sum`' }],
    ['a field that is left out', rule('context.input has lines'), { line: 1, says: 'crm/refund: policy is impossible' }],
    [
      'an annotation that says nothing',
      rule(OVER).replace('@reason', '@approver("2")\n@reason'),
      { line: 1, says: 'no rule has @approver' },
    ],
    ['another type', rule('context.input.amount > 500'), { line: 5, says: 'expected Long but saw decimal' }],
    ['a field that may be missing', rule('context.input.reason == "x"'), { line: 5, says: 'optional attribute `input.reason`' }],
    [
      'a field of one of two tools',
      rule(OVER, { action: 'action in [Action::"crm/refund", Action::"crm/close"]' }),
      { line: 5, says: 'crm/close: attribute `input.amount`' },
    ],
  ])('names %s', (_what, text, { line, says }) => {
    const issues = validatePolicyText(text, tools);
    if (line === 0) expect(issues).toEqual([]);
    else expect(issues).toContainEqual(expect.objectContaining({ line, message: expect.stringContaining(says) }));
  });
});

describe('a decision', () => {
  it('keeps what rules compared and nothing else, and never personal data', () => {
    const compiled = compile(rule(`${OVER} || context.input has payee.iban && context.input.payee.iban like "DE*"`));
    const { context } = decided(compiled, {
      amount: 3,
      order: 77,
      reason: 'secret',
      payee: { country: 'DE', iban: 'DE89370400440532013000' },
    });
    expect(context?.input).toEqual({
      action: 'crm/refund',
      record: { amount: { __extn: { fn: 'decimal', arg: '3.0' } }, payee: {} },
      paths: [['amount'], ['payee', 'iban']],
      withheld: [['payee', 'iban']],
    });
    expect(JSON.stringify(context)).not.toMatch(/secret|DE89|77/);
  });

  it('is decided again from what was kept; what was not kept, or withheld, decides nothing', () => {
    const { context } = decided(compile(rule(OVER)), { amount: 501, order: 1 });
    const kept = context?.input;
    if (kept === undefined) throw new Error('nothing was kept');
    const again = factsFromKept(kept, [['amount']]);
    expect(decide(compile(rule(OVER)), request('refund', again && { action: 'crm/refund', ...again })).verdict).toBe('deny');
    expect(factsFromKept(kept, [['order']])).toBeNull();
    expect(factsFromKept({ ...kept, withheld: [['amount']] }, [['amount']])).toBeNull();
    expect(factsFromKept({ ...kept, paths: [[]] }, [['order']])).not.toBeNull();
  });
});
