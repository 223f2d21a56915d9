import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import { route } from '#app/engine/routing/route.ts';
import { indexCapabilities } from '#app/engine/routing/skill-match.ts';
import type { Line } from '#tests/bench/report.ts';

const VERBS = ['detect', 'redact', 'screen', 'profile', 'compare', 'translate', 'summarise', 'extract', 'classify', 'verify'];
const NOUNS = [
  'personal data',
  'invoices',
  'sanctions names',
  'contracts',
  'dates',
  'medical records',
  'payments',
  'addresses',
  'images',
  'claims',
  'tickets',
  'policies',
  'permits',
  'letters',
  'csv tables',
  'audit logs',
  'emails',
  'meetings',
  'orders',
  'budgets',
];
const DECISIONS = 5_000;

/** One decision among 200 approved capabilities, whose words overlap as real ones do. */
export function measureRouting(): Line[] {
  const capabilities = VERBS.flatMap((verb, v) =>
    NOUNS.map(
      (noun, n): RoutableCapability => ({
        id: `capability-${v}-${n}`,
        connectionId: `connection-${n % 12}`,
        kind: 'tool',
        name: `${verb}_${noun.replaceAll(' ', '_')}`,
        title: `${verb} ${noun}`,
        description: `Use this tool to ${verb} ${noun} in a text or a file. It answers a list of findings with place, score and severity, and explains each of them in plain words for the reviewer.`,
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
        fingerprint: 'f',
        state: 'approved',
        connection: { name: `Peer ${n % 12}`, slug: `peer-${n % 12}`, kind: 'mcp', status: 'connected' },
        price: null,
      }),
    ),
  );
  const index = indexCapabilities(capabilities);
  const records = new Map(capabilities.map((capability, n) => [capability.id, { calls: 50, errors: n % 7, p95Ms: 20 + ((n * 37) % 900) }]));
  const times: number[] = [];
  for (let n = 0; n < DECISIONS; n += 1) {
    const task = `${VERBS[n % VERBS.length]} all ${NOUNS[(n * 7) % NOUNS.length]} in the customer letter and list the findings`;
    const from = performance.now();
    route(index, records, { step: 'tool', connection: null, capability: null, task, inputs: ['text'] });
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  return [
    {
      what: 'routing decision p95, 200 capabilities',
      value: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
      unit: 'ms',
      limit: 5,
      better: 'less',
    },
  ];
}
