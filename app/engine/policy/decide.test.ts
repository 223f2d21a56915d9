import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localTime } from '#app/engine/policy/circumstances.ts';
import { compilePolicies, type PolicySource } from '#app/engine/policy/compile-policies.ts';
import { decide } from '#app/engine/policy/decide.ts';
import type { DecisionRequest } from '#app/engine/policy/decision-request.ts';
import { SHIPPED_POLICIES } from '#app/engine/policy/shipped/shipped-policies.ts';

const source = (text: string | null, id = 'p1'): PolicySource => ({ policyId: id, policyName: `Policy ${id}`, version: 2, text });
const rule = (verdict: string, condition: string, id = verdict) =>
  `@id("${id}") @verdict("${verdict}") @reason("Because of ${id}.") forbid(principal, action, resource) when { ${condition} };\n`;
const shipped = SHIPPED_POLICIES.map((policy) => ({ policyId: policy.slug, policyName: policy.name, version: 1, text: policy.text }));

type Change = {
  [K in keyof DecisionRequest]?: DecisionRequest[K] extends object | null | undefined ? Partial<DecisionRequest[K]> : DecisionRequest[K];
};
function request(change: Change = {}): DecisionRequest {
  const base: DecisionRequest = {
    workspaceId: 'w1',
    runId: 'r1',
    mode: 'live',
    initiator: { id: 'ann', roles: ['builder'] },
    action: 'call_tool',
    connection: { id: 'c1', slug: 'crm', kind: 'mcp', personalDataAllowed: false, builtin: false },
    capability: { id: 't1', name: 'send_letter', kind: 'tool', state: 'approved' },
    facts: { personalData: [], risk: 'low', findings: 0 },
    input: null,
    circumstances: {
      workflow: { id: 'wf1', name: 'Letters' },
      agent: '',
      requesterIsAuthor: false,
      host: 'crm.example',
      time: { at: '2026-11-26T21:30:00.000Z', zone: 'Europe/Berlin', weekday: 'thursday', date: '2026-11-26', hour: 22 },
      callsInRun: 3,
      costInRunMicros: 1_250_000,
      approvalsInRun: 1,
      outside: OUTSIDE,
    },
  };
  return {
    ...base,
    ...change,
    initiator: { ...base.initiator, ...change.initiator },
    connection: { ...base.connection, ...change.connection },
    capability: { ...base.capability, ...change.capability },
    facts: { ...base.facts, ...change.facts },
    circumstances: change.circumstances === null ? null : { ...base.circumstances, ...change.circumstances },
    ...(change.approval === undefined ? {} : { approval: { id: 'a1', approvedBy: [], ...change.approval } }),
  } as DecisionRequest;
}

const OUTSIDE = { groups: ['Treasury'], callsToday: 40, costTodayMicros: 9_000_000, callsToPayee: 0 };
const SALES = { ...OUTSIDE, groups: ['Sales'] };

describe('the shipped policies', () => {
  const policies = compilePolicies(shipped);

  it('read without an issue and allow an ordinary call', () => {
    expect(policies.unreadable).toBeNull();
    expect(decide(policies, request())).toMatchObject({
      verdict: 'allow',
      rules: [],
      reason: { key: 'policyAllowed', values: { capability: 'send_letter', connection: 'crm' } },
    });
  });

  it('keep personal data away from a connection that is not approved for it', () => {
    const found = { personalData: ['email', 'iban'] };
    expect(decide(policies, request({ facts: found }))).toMatchObject({
      verdict: 'deny',
      rules: [
        { policyId: 'personal-data-stays', policyName: 'Personal data stays', version: 1, rule: 'personal_data_leaves', verdict: 'deny' },
      ],
      reason: { key: 'policyPersonalDataLeaves', values: { kinds: 'email, iban', connection: 'crm' } },
    });
    expect(decide(policies, request({ facts: found, connection: { personalDataAllowed: true } })).verdict).toBe('allow');
    expect(decide(policies, request({ facts: found, connection: { builtin: true } })).verdict).toBe('allow');
  });

  it('ask for an approver after a high-risk finding', () => {
    expect(decide(policies, request({ facts: { risk: 'medium' } })).verdict).toBe('allow');
    expect(decide(policies, request({ facts: { risk: 'high' } }))).toMatchObject({
      verdict: 'require_approval',
      reason: { key: 'policyHighRiskNeedsApprover' },
    });
    // Built-in tools check and redact; they pay nobody and send nothing outside.
    expect(decide(policies, request({ facts: { risk: 'high' }, connection: { builtin: true } })).verdict).toBe('allow');
  });

  it.each([
    ['pending', 'policyCapabilityPending'],
    ['changed', 'policyCapabilityChanged'],
    ['removed', 'policyCapabilityRemoved'],
  ] as const)('refuse a capability that is %s', (state, key) => {
    expect(decide(policies, request({ capability: { state } }))).toMatchObject({
      verdict: 'deny',
      reason: { key },
      rules: [{ rule: 'definition_approved' }],
    });
  });
});

describe('without any policy', () => {
  const none = compilePolicies([]);
  it('allows what is approved and refuses what is not', () => {
    expect(decide(none, request()).verdict).toBe('allow');
    expect(decide(none, request({ capability: { state: 'changed' } }))).toMatchObject({
      verdict: 'deny',
      rules: [{ policyId: 'quorate', version: 0 }],
      reason: { key: 'policyCapabilityChanged' },
    });
  });
});

describe('the strictest rule', () => {
  const text =
    rule('warn', 'context.findings > 0') + rule('require_approval', 'context.findings > 1') + rule('deny', 'context.findings > 2');
  const policies = compilePolicies([source(text)]);
  it.each([
    [0, 'allow', 0],
    [1, 'warn', 1],
    [2, 'require_approval', 2],
    [3, 'deny', 3],
  ] as const)('of %i findings is %s', (findings, verdict, count) => {
    const result = decide(policies, request({ facts: { findings } }));
    expect(result.verdict).toBe(verdict);
    expect(result.rules).toHaveLength(count);
    if (count > 0)
      expect(result.reason).toMatchObject({ key: 'policyStated', values: { policy: 'Policy p1', statement: `Because of ${verdict}.` } });
  });

  it('is released by someone else, and only where it asks for approval', () => {
    const approvedBy = (...ids: string[]) => ({ approval: { id: 'a1', approvedBy: ids } });
    expect(decide(policies, request({ facts: { findings: 2 }, ...approvedBy('bob') }))).toMatchObject({
      verdict: 'warn',
      reason: { key: 'policyReleased' },
    });
    expect(decide(policies, request({ facts: { findings: 2 }, ...approvedBy() })).verdict).toBe('require_approval');
    expect(decide(policies, request({ facts: { findings: 2 }, ...approvedBy('ann') })).verdict).toBe('require_approval');
    expect(decide(policies, request({ facts: { findings: 2 }, ...approvedBy('bob', 'ann') })).verdict).toBe('require_approval');
    expect(decide(policies, request({ facts: { findings: 3 }, ...approvedBy('bob') })).verdict).toBe('deny');
    expect(decide(policies, request({ capability: { state: 'changed' }, ...approvedBy('bob') })).verdict).toBe('deny');
  });

  it('can be asked of who approved, of roles and of the action', () => {
    const asked = compilePolicies([
      source(
        rule('deny', 'context has approvedBy && context.approvedBy.contains(Member::"eve")', 'eve') +
          rule('warn', 'principal in Role::"admin"', 'admin') +
          '@id("agents") @verdict("deny") @reason("No agents.") forbid(principal, action == Action::"call_agent", resource);',
      ),
    ]);
    expect(decide(asked, request({ approval: { approvedBy: ['eve'] } })).verdict).toBe('deny');
    expect(decide(asked, request({ initiator: { roles: ['user', 'admin'] } })).verdict).toBe('warn');
    expect(decide(asked, request({ action: 'call_agent' })).verdict).toBe('deny');
  });
});

describe('an approval with terms', () => {
  const asks = (terms: string, condition = 'true', id = 'two') =>
    rule('require_approval', condition, id).replace('@reason', `${terms} @reason`);

  it('asks for the most approvers and the shortest time of all rules that apply', () => {
    const policies = compilePolicies([
      source(
        asks('@approvers("2") @due_hours("48")') +
          asks('@due_hours("4")', 'true', 'four') +
          asks('@approvers("3")', 'context.findings > 100', 'never'),
      ),
    ]);
    expect(policies.unreadable).toBeNull();
    expect(decide(policies, request())).toMatchObject({ verdict: 'require_approval', terms: { quorum: 2, dueHours: 4 } });
    expect(decide(compilePolicies([source(asks(''))]), request()).terms).toEqual({ quorum: 1, dueHours: null });
  });

  it('is not released by fewer than it asks for now', () => {
    const policies = compilePolicies([source(asks('@approvers("2")'))]);
    expect(decide(policies, request({ approval: { approvedBy: ['bob'] } })).verdict).toBe('deny');
    expect(decide(policies, request({ approval: { approvedBy: ['bob', 'eve'] } })).verdict).toBe('allow');
  });

  it.each(['@approvers("0")', '@approvers("10")', '@approvers("two")', '@due_hours("721")', '@mode("watch")'])('refuses %s', (terms) => {
    expect(compilePolicies([source(asks(terms))]).unreadable).not.toBeNull();
  });

  it('belongs to no other verdict', () => {
    expect(compilePolicies([source(rule('deny', 'true').replace('@reason', '@approvers("2") @reason'))]).unreadable).not.toBeNull();
  });
});

describe('a rule in monitor mode', () => {
  const monitor = (text: string) => text.replace('@reason', '@mode("monitor") @reason');

  it('is noted and decides nothing', () => {
    const policies = compilePolicies([source(monitor(rule('deny', 'context.mode == "live"')))]);
    const decision = decide(policies, request());
    expect(decision).toMatchObject({ verdict: 'allow', rules: [], reason: { key: 'policyAllowed' } });
    expect(decision.context?.monitored).toEqual([{ policyId: 'p1', policyName: 'Policy p1', version: 2, rule: 'deny', verdict: 'deny' }]);
    expect(decide(policies, request({ mode: 'test' })).context).not.toHaveProperty('monitored');
  });

  it('never changes an effect: whatever it says, where it fails, and beside whatever else is in force', () => {
    const conditions = fc.constantFrom(
      ...['true', 'context.findings > 2', 'context.risk == "high"', 'principal in Role::"builder"', 'context.hour >= 22'],
      // overflows for two findings or more
      'context.findings * 9223372036854775807 > 1',
    );
    const rules = fc.array(fc.tuple(fc.constantFrom('warn', 'require_approval', 'deny'), conditions), { maxLength: 5 });
    fc.assert(
      fc.property(rules, rules, fc.integer({ min: 0, max: 4 }), fc.boolean(), (enforced, watched, findings, approved) => {
        const others = enforced.map(([verdict, condition], index) => source(rule(verdict, condition), `e${index}`));
        const monitors = watched.map(([verdict, condition], index) => source(monitor(rule(verdict, condition)), `m${index}`));
        const asked = request({ facts: { findings }, ...(approved ? { approval: { approvedBy: ['bob'] } } : {}) });
        const { context: _, policyVersion: __, ...without } = decide(compilePolicies(others), asked);
        expect(decide(compilePolicies([...others, ...monitors]), asked)).toMatchObject(without);
      }),
      { numRuns: 150 },
    );
  });
});

describe('the circumstances of a call', () => {
  it.each([
    ['the workflow', 'context.workflow.id == "wf1" && context.workflow.name == "Letters"', { workflow: { id: 'wf2', name: 'Letters' } }],
    ['the agent', 'context.agent == ""', { agent: 'Clerk' }],
    ['requester and author', '!context.requesterIsAuthor', { requesterIsAuthor: true }],
    ['the host', 'resource.connection.host == "crm.example"', { host: 'other.example' }],
    ['the calls', 'context.callsInRun >= 3', { callsInRun: 2 }],
    ['approvals before', 'context.approvalsInRun >= 1', { approvalsInRun: 0 }],
    ['the calls of the day', 'context.callsToday >= 40', { outside: { ...OUTSIDE, callsToday: 39 } }],
    ['the cost of the day', 'context.costToday.greaterThan(decimal("8.5"))', { outside: { ...OUTSIDE, costTodayMicros: 8_500_000 } }],
    ['a new payee', 'context.callsToPayee == 0', { outside: { ...OUTSIDE, callsToPayee: 1 } }],
    ['a group', 'context.initiatorGroups.contains("Treasury")', { outside: SALES }],
    ['a group in small letters', 'context.initiatorGroups.contains("treasury")', { outside: SALES }],
    ['the cost', 'context.costInRun.greaterThanOrEqual(decimal("1.25"))', { costInRunMicros: 1_249_900 }],
    [
      'the clock',
      'context.weekday == "thursday" && context.hour >= 22 && context.date == "2026-11-26"',
      { time: localTime(new Date('2026-11-26T20:00:00Z'), 'Europe/Berlin') },
    ],
    ['the moment', 'context.now < datetime("2026-11-26T21:30:00.001Z")', { time: localTime(new Date('2026-11-26T21:30:00.001Z'), 'UTC') }],
  ] as const)('decide by %s', (_what, condition, other) => {
    const policies = compilePolicies([source(rule('deny', condition))]);
    expect(decide(policies, request()).verdict).toBe('deny');
    expect(decide(policies, request({ circumstances: other })).verdict).toBe('allow');
  });

  it('are kept with the decision, from which the same is decided again', () => {
    const policies = compilePolicies([source(rule('require_approval', 'context.hour >= 22'))]);
    const asked = request();
    const kept = JSON.parse(JSON.stringify(decide(policies, asked).context)) as DecisionRequest;
    expect(decide(policies, { ...asked, circumstances: kept.circumstances }).verdict).toBe('require_approval');
  });

  it('refuse the calls of a rule that asks for what nobody has read, and of no other rule', () => {
    const unread = request({ circumstances: { outside: undefined, approvalsInRun: undefined } });
    for (const asks of [
      'context.callsToPayee == 0',
      'context.callsToPayee > 0',
      'context.callsToday >= 1',
      'context.costToday.lessThan(decimal("1.0"))',
      '!context.initiatorGroups.contains("Treasury")',
      'context.approvalsInRun < 1',
    ])
      for (const verdict of ['deny', 'require_approval', 'warn'])
        expect(decide(compilePolicies([source(rule(verdict, asks))]), unread)).toMatchObject({
          verdict: 'deny',
          reason: { key: 'policyFailed' },
        });
    // beside a rule that does not ask, and unread as it is, the facts change nothing
    expect(decide(compilePolicies([source(rule('warn', 'context.hour >= 22'))]), unread).verdict).toBe('warn');
    // what would apply does not count where another rule could not be asked
    const both = [source(rule('warn', 'context.hour >= 22')), { ...source(rule('warn', 'context.callsToPayee == 0')), policyId: 'p2' }];
    expect(decide(compilePolicies(both), unread).verdict).toBe('deny');
  });

  it('of a decision that was made before they were kept refuse the rules that ask for them, and no others', () => {
    const old = request({ circumstances: null });
    expect(decide(compilePolicies([...shipped, source(rule('warn', 'context.findings == 0'))]), old).verdict).toBe('warn');
    for (const asks of ['context.hour >= 22', 'context.workflow.id == "x"', 'resource.connection.host == "x"'])
      expect(decide(compilePolicies([source(rule('warn', asks))]), old)).toMatchObject({
        verdict: 'deny',
        reason: { key: 'policyFailed' },
      });
  });
});

describe('nothing fails open', () => {
  it.each([
    ['a text that does not parse', 'forbid('],
    ['a document that could not be read', null],
    ['an unknown verdict', rule('allow', 'true')],
    ['a rule of a newer schema', rule('deny', 'context.budget > 3')],
    ['a permit', 'permit(principal, action, resource);'],
    ['an empty text', ''],
    ['brackets that would overflow the evaluator', rule('deny', `${'('.repeat(5000)}true${')'.repeat(5000)}`)],
  ])('with %s every call is refused', (_what, text) => {
    const policies = compilePolicies([...shipped, source(text)]);
    expect(decide(policies, request())).toMatchObject({
      verdict: 'deny',
      reason: { key: 'policyUnreadable', values: { policy: 'Policy p1' } },
      rules: [{ policyId: 'p1' }],
    });
  });

  it('refuses when a rule fails while it is evaluated', () => {
    const policies = compilePolicies([source(rule('warn', 'context.findings * 9223372036854775807 > 1'))]);
    expect(decide(policies, request({ facts: { findings: 1 } })).verdict).toBe('warn');
    expect(decide(policies, request({ facts: { findings: 2 } }))).toMatchObject({ verdict: 'deny', reason: { key: 'policyFailed' } });
  });

  it('refuses a request with anything missing or of another type', () => {
    const policies = compilePolicies([]);
    const path = fc.constantFrom(
      ...([
        'workspaceId',
        'runId',
        'mode',
        'initiator',
        'initiator.id',
        'initiator.roles',
        'action',
        'connection',
        'connection.id',
        'connection.slug',
        'connection.kind',
      ] as const),
      ...([
        'connection.personalDataAllowed',
        'connection.builtin',
        'capability',
        'capability.id',
        'capability.name',
        'capability.kind',
        'capability.state',
      ] as const),
      ...(['facts', 'facts.personalData', 'facts.risk', 'facts.findings'] as const),
      ...(['circumstances.workflow', 'circumstances.requesterIsAuthor', 'circumstances.time', 'circumstances.callsInRun'] as const),
    );
    const wrong = fc.constantFrom(undefined, null, Number.NaN, -1, 1.5, '', 'unheard-of', { a: 1 }, [null]);
    fc.assert(
      fc.property(path, wrong, (place, value) => {
        const asked = JSON.parse(JSON.stringify(request())) as Record<string, Record<string, unknown>>;
        const [first = '', second] = place.split('.');
        // an empty name is a name
        fc.pre(
          !(value === '' || value === 'unheard-of') ||
            !['workspaceId', 'runId', 'initiator.id', 'connection.id', 'connection.slug', 'capability.id', 'capability.name'].includes(
              place,
            ),
        );
        if (second === undefined) (asked as Record<string, unknown>)[first] = value;
        else (asked[first] ?? {})[second] = value;
        const result = decide(policies, asked as unknown as DecisionRequest);
        expect(result).toMatchObject({ verdict: 'deny', reason: { key: 'policyFactsMissing' } });
      }),
      { numRuns: 300 },
    );
  });

  it('never allows what one rule in force denies, whatever stands beside it', () => {
    const conditions = fc.constantFrom(
      'true',
      'context.findings > 100',
      'context.findings > 2',
      'context.risk == "high"',
      'resource.connection.builtin',
      'principal in Role::"builder"',
    );
    const rules = fc.array(fc.tuple(fc.constantFrom('warn', 'require_approval', 'deny'), conditions), { maxLength: 6 });
    fc.assert(
      fc.property(rules, fc.boolean(), (drawn, approved) => {
        const others = drawn.map(([verdict, condition], index) => source(rule(verdict, condition), `o${index}`));
        const policies = compilePolicies([...others, source(rule('deny', 'context.mode == "live"', 'stop'), 'stop')]);
        const result = decide(policies, request(approved ? { approval: { approvedBy: ['bob'] } } : {}));
        expect(result.verdict).toBe('deny');
        expect(result.rules.some((told) => told.policyId === 'stop')).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('answers the same after its parsed set had to make room', () => {
    const policies = compilePolicies([source(rule('warn', 'true'))]);
    expect(decide(policies, request()).verdict).toBe('warn');
    for (let n = 0; n < 80; n += 1)
      expect(decide(compilePolicies([source(rule('deny', `context.findings == ${n}`))]), request({ facts: { findings: n } })).verdict).toBe(
        'deny',
      );
    expect(decide(policies, request()).verdict).toBe('warn');
  });
});

describe('the policy version', () => {
  it('depends on what is in force and not on the order it was read in', () => {
    const [a, b] = [source(rule('deny', 'true'), 'a'), source(rule('warn', 'true'), 'b')];
    expect(compilePolicies([a, b]).policyVersion).toBe(compilePolicies([b, a]).policyVersion);
    expect(compilePolicies([a]).policyVersion).not.toBe(compilePolicies([a, b]).policyVersion);
    expect(compilePolicies([{ ...a, version: 3 }]).policyVersion).not.toBe(compilePolicies([a]).policyVersion);
    expect(compilePolicies([]).policyVersion).toMatch(/^[0-9a-f]{64}$/);
  });
});
