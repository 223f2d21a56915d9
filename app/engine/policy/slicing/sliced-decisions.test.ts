import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CompiledPolicies, type CompiledRule, compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { type Asking, decideChanging } from '#app/engine/policy/decide-changing.ts';
import { toolAction } from '#app/engine/policy/inputs/named-inputs.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    ...{ amount: { type: 'number' }, count: { type: 'integer' }, country: { type: 'string' }, note: { type: 'string' } },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['amount', 'country'],
};
const schemas = new Map(['bank/pay', 'bank/refund'].map((action) => [action, SCHEMA]));
const FACTS = [
  ...['context.mode == "live"', 'context.hour >= 18', 'context.weekday == "monday"', 'context.callsInRun >= 2', 'context has approvedBy'],
  ...[
    'context.workflow.id == "w1"',
    'context.initiatorGroups.contains("treasury")',
    'context.callsToPayee == 0',
    'principal in Role::"admin"',
  ],
  ...['resource.connection.slug == "bank"', 'resource.name like "re*"', 'context.costInRun.greaterThan(decimal("1.0"))'],
  ...['context.risk == "high" || context.findings > 1', 'context.hour + 1 > 12', 'context.now > datetime("2026-11-26")'],
];
const INPUTS = [
  ...['context.input.amount.greaterThan(decimal("100.0"))', 'context.input.country == "DE"', 'context.input.country like "*R"'],
  ...['context.input has count && context.input.count > 2', 'context.input has tags && context.input.tags.contains("a")'],
  // fails where there is no note, so that the guard before it matters
  'context.input has note && context.input.note like "*x*"',
];
const rule = fc
  .record({
    verdict: fc.constantFrom('deny', 'require_approval', 'warn'),
    head: fc.constantFrom(
      'action',
      'action == Action::"call_tool"',
      'action == Action::"bank/pay"',
      'action in [Action::"bank/pay", Action::"bank/refund"]',
    ),
    facts: fc.subarray(FACTS, { maxLength: 2 }),
    inputs: fc.subarray(INPUTS, { maxLength: 2 }),
    kind: fc.constantFrom('when', 'unless'),
    monitors: fc.boolean(),
  })
  .map(({ verdict, head, facts, inputs, kind, monitors }) => {
    const all = [...facts, ...(head.includes('/') ? inputs : [])].map((one) => `(${one})`);
    const mode = monitors ? '@mode("monitor") ' : '';
    return `@id("r") @verdict("${verdict}") @reason("R.") ${mode}forbid(principal, ${head}, resource)${all.length === 0 ? '' : ` ${kind} { ${all.join(' && ')} }`};`;
  });
const asking = fc
  .record({
    name: fc.constantFrom('pay', 'refund', 'look'),
    slug: fc.constantFrom('bank', 'crm'),
    state: fc.constantFrom('approved', 'approved', 'approved', 'changed'),
    roles: fc.subarray(['builder', 'admin'] as const),
    mode: fc.constantFrom('live', 'test'),
    risk: fc.constantFrom('low', 'high'),
    findings: fc.nat(2),
    isKnown: fc.integer({ min: 0, max: 9 }),
    circumstances: fc.record({
      hour: fc.nat(23),
      weekday: fc.constantFrom('monday', 'sunday'),
      callsInRun: fc.nat(3),
      costInRunMicros: fc.nat(2_000_000),
    }),
    outside: fc.record({ groups: fc.subarray(['Treasury', 'Sales']), callsToPayee: fc.nat(1) }),
  })
  .map(({ name, slug, state, roles, mode, risk, findings, isKnown, circumstances, outside }): Asking => {
    const { hour, weekday, callsInRun, costInRunMicros } = circumstances;
    return {
      ...{ workspaceId: 'w', runId: 'r', mode, action: 'call_tool', initiator: { id: 'ann', roles } },
      connection: { id: 'c1', slug, kind: 'mcp', personalDataAllowed: false, builtin: false },
      capability: { id: 't1', name, kind: 'tool', state },
      facts: { personalData: [], risk, findings },
      circumstances:
        isKnown === 0
          ? null
          : {
              ...{
                workflow: { id: 'w1', name: 'Pay' },
                agent: '',
                requesterIsAuthor: false,
                host: 'bank.example',
                callsInRun,
                costInRunMicros,
              },
              time: { at: '2026-11-26T21:30:00.000Z', zone: 'Europe/Berlin', weekday, date: '2026-11-26', hour },
              ...(isKnown === 1 ? {} : { approvalsInRun: 0, outside: { ...outside, callsToday: 1, costTodayMicros: 0 } }),
            },
    };
  });
const input = fc.record(
  {
    ...{ amount: fc.constantFrom(1, 100, 100.5, 1e6, 0.00001), country: fc.constantFrom('DE', 'FR'), count: fc.nat(4) },
    ...{ tags: fc.subarray(['a', 'b']), note: fc.constantFrom('x', 'no') },
  },
  { requiredKeys: ['amount'] },
);

/** The same policies, of which Cedar is asked every rule every time. */
function unsliced(compiled: CompiledPolicies): CompiledPolicies {
  const whole = (rules: ReadonlyMap<string, CompiledRule>) => new Map([...rules].map(([id, one]) => [id, { ...one, foresee: () => null }]));
  return {
    ...compiled,
    general: whole(compiled.general),
    tools: new Map([...compiled.tools].map(([action, tool]) => [action, { ...tool, rules: whole(tool.rules) }])),
  };
}

it('decides as it would if Cedar were asked every rule: random policies, random calls, also such as lack facts or do not fit', () => {
  const verdicts = new Map<string, number>();
  fc.assert(
    fc.property(
      fc.array(rule, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(asking, input), { minLength: 5, maxLength: 5 }),
      (texts, calls) => {
        const sources = texts.map((text, at) => ({ policyId: `p${at}`, policyName: `P${at}`, version: 1, text }));
        const compiled = compilePolicies(sources, schemas);
        expect(compiled.unreadable).toBeNull();
        for (const [call, given] of calls) {
          const sliced = decideChanging(compiled, call, given);
          expect(sliced.decision, toolAction(call.connection.slug, call.capability.name)).toEqual(
            decideChanging(unsliced(compiled), call, given).decision,
          );
          const approval = { id: 'a', approvedBy: ['ben'] };
          expect(sliced.approved(approval)).toEqual(decideChanging(unsliced(compiled), call, given).approved(approval));
          verdicts.set(sliced.decision.verdict, (verdicts.get(sliced.decision.verdict) ?? 0) + 1);
        }
      },
    ),
    { numRuns: process.env.QUORATE_TEST_FULL ? 2_000 : 25 },
  );
  expect([...verdicts.keys()]).toEqual(expect.arrayContaining(['allow', 'deny', 'require_approval']));
});
