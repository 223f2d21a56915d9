import { compilePolicies } from '#app/engine/policy/compile-policies.ts';
import { type Asking, decideChanging } from '#app/engine/policy/decide-changing.ts';
import type { Line } from '#tests/bench/report.ts';

const POLICIES = 200;
const COUNTRIES = 50;
const DECISIONS = 4_000;
const SCHEMA = {
  type: 'object',
  properties: {
    ...{ amount: { type: 'number' }, country: { type: 'string' }, urgent: { type: 'boolean' }, reference: { type: 'string' } },
    payee: { type: 'object', properties: { name: { type: 'string' }, iban: { type: 'string' } }, required: ['name'] },
  },
  required: ['amount', 'country', 'urgent', 'payee'],
};

/** Four shapes of rules about one tool: an amount in a country, words that no form has, a payee, and the run beside the input. */
const SHAPES: readonly ((n: number) => string)[] = [
  (n) => `context.input.amount.greaterThan(decimal("${n}000.0")) && context.input.country == "C${n % COUNTRIES}"`,
  (n) => `(context.input.urgent || context.input.amount.greaterThan(decimal("${n}00.0"))) && context.input.payee.name == "Supplier ${n}"`,
  (n) => `context.input.payee has iban && context.input.payee.iban like "DE${n}*"`,
  (n) => `context.workflow.name == "Workflow ${n}" && context.hour >= 18 && context.input.amount.greaterThan(decimal("${n}.0"))`,
];

/** A decision on one call by 200 policies that look at its input, as a run asks for it: with the facts taken from the input. */
export function measurePolicies(): Line[] {
  const sources = Array.from({ length: POLICIES }, (_, n) => ({
    ...{ policyId: `policy-${String(n).padStart(3, '0')}`, policyName: `Policy ${n}`, version: 1 },
    text: `@id("rule") @verdict("warn") @reason("Rule ${n}.")
forbid(principal, action == Action::"bank/pay", resource)
when { ${SHAPES[n % SHAPES.length]?.(n) ?? ''} };`,
  }));
  const compiled = compilePolicies(sources, new Map([['bank/pay', SCHEMA]]));
  if (compiled.unreadable !== null) throw new Error(`${compiled.unreadable.policyName} cannot be read`);
  const times: number[] = [];
  let met = 0;
  const before = process.cpuUsage();
  for (let n = 0; n < DECISIONS; n += 1) {
    const input = {
      ...{ amount: (n * 7_919) % 250_000, country: `C${(n * 13) % COUNTRIES}`, urgent: n % 9 === 0, reference: `Order ${n}` },
      payee: { name: `Supplier ${(n * 31) % 400}`, ...(n % 3 > 0 && { iban: `DE${(n * 17) % 1_000} 0000` }) },
    };
    const from = performance.now();
    const { decision } = decideChanging(compiled, askingOf(n), input);
    times.push(performance.now() - from);
    if (decision.rules.length > 0) met += 1;
  }
  const { user, system } = process.cpuUsage(before);
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  const what = `decision by ${POLICIES} policies on an input, ${Math.round((met / DECISIONS) * 100)} % met by a rule`;
  return [
    { what: `${what}, p50`, value: at(0.5), unit: 'ms', limit: 0.5, better: 'less' },
    { what: '  p95', value: at(0.95), unit: 'ms', limit: 2, better: 'less' },
    { what: '  CPU of one, mean', value: (user + system) / 1_000 / DECISIONS, unit: 'ms', limit: null, better: 'less' },
  ];
}

function askingOf(n: number): Asking {
  return {
    ...{ workspaceId: 'bench', runId: 'run', mode: 'live', action: 'call_tool', initiator: { id: 'member', roles: ['user'] } },
    connection: { id: 'connection', slug: 'bank', kind: 'mcp', personalDataAllowed: true, builtin: false },
    capability: { id: 'capability', name: 'pay', kind: 'tool', state: 'approved' },
    facts: { personalData: [], risk: 'low', findings: 0 },
    circumstances: {
      ...{ workflow: { id: 'workflow', name: `Workflow ${n % 300}` }, agent: '', requesterIsAuthor: false, host: 'bank.example' },
      time: { at: '2026-11-26T18:30:00.000Z', zone: 'Europe/Berlin', weekday: 'thursday', date: '2026-11-26', hour: 19 },
      ...{ callsInRun: n % 5, costInRunMicros: 0, approvalsInRun: 0 },
    },
  };
}
