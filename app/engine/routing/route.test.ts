import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoutableCapability } from '#app/engine/routing/routable-capability.ts';
import { type RouteRequest, route } from '#app/engine/routing/route.ts';
import { indexCapabilities } from '#app/engine/routing/skill-match.ts';

function capability(id: string, more: Partial<RoutableCapability> = {}): RoutableCapability {
  return {
    id,
    connectionId: `connection-of-${id}`,
    kind: 'tool',
    name: `tool_${id}`,
    title: '',
    description: '',
    inputSchema: null,
    fingerprint: 'f',
    state: 'approved',
    connection: { name: `Peer ${id}`, slug: `peer-${id}`, kind: 'mcp', status: 'connected' },
    price: null,
    ...more,
  };
}
const request = (more: Partial<RouteRequest> = {}): RouteRequest => ({
  step: 'tool',
  connection: null,
  capability: null,
  task: 'screen names',
  inputs: ['text'],
  ...more,
});
const none = new Map<string, never>();

describe('the price', () => {
  const model = (id: string, price: RoutableCapability['price']) =>
    capability(id, {
      kind: 'model',
      name: `screen_names_${id}`,
      connection: { name: 'Models', slug: 'models', kind: 'model', status: 'connected' },
      price,
    });
  const parts = (capabilities: RoutableCapability[], step: RouteRequest['step']) =>
    route(indexCapabilities(capabilities), none, request({ step })).candidates;

  test('of models decides where nothing else does', () => {
    const candidates = parts([model('a', { input: 15, output: 75 }), model('b', { input: 0.25, output: 1.25 })], 'model');
    expect(candidates.map(({ name, parts }) => [name, parts?.price])).toEqual([
      ['screen_names_b', 0.87],
      ['screen_names_a', 0.1],
    ]);
  });

  test('is no criterion where none is stated', () => {
    const [tool] = parts([capability('a', { name: 'screen_names' })], 'tool');
    expect(tool?.parts?.price).toBeNull();
    const { skill = 0, health = 0, latency = 0 } = tool?.parts ?? {};
    expect(tool?.score).toBeCloseTo((skill * 0.6 + health * 0.2 + latency * 0.15) / 0.95, 2);
  });
});

describe('routed by the task', () => {
  test('the words of the task decide', () => {
    const index = indexCapabilities([
      capability('a', { name: 'screen_names', description: 'Screens a name against a list.' }),
      capability('b', { name: 'compare_dates', description: 'Says which of two dates is earlier.' }),
    ]);
    const answer = route(index, none, request({ task: 'Screen the name of the customer' }));
    expect(answer.chosen?.id).toBe('a');
    expect(answer.reason).toMatchObject({ key: 'routeOnly', values: { capability: 'screen_names', eligible: 1 } });
  });

  test('of two that fit, the healthier and quicker one is taken', () => {
    const index = indexCapabilities([capability('a', { name: 'screen_names' }), capability('b', { name: 'screen_names' })]);
    const records = new Map([
      ['a', { calls: 50, errors: 20, p95Ms: 3_000 }],
      ['b', { calls: 50, errors: 0, p95Ms: 100 }],
    ]);
    const answer = route(index, records, request());
    expect(answer.chosen?.id).toBe('b');
    expect(answer.candidates.map((candidate) => candidate.capabilityId)).toEqual(['b', 'a']);
    expect(answer.reason.key).toBe('routeBest');
  });

  test('what may not or cannot be called is left out, and the reason is kept', () => {
    const offer = { name: 'screen_names' };
    const index = indexCapabilities([
      capability('pending', { ...offer, state: 'pending' }),
      capability('changed', { ...offer, state: 'changed' }),
      capability('away', { ...offer, connection: { name: 'Away', slug: 'away', kind: 'mcp', status: 'error' } }),
      capability('needs', { ...offer, inputSchema: { type: 'object', required: ['list'], properties: { list: {} } } }),
      capability('closed', { ...offer, inputSchema: { type: 'object', properties: { name: {} }, additionalProperties: false } }),
    ]);
    const answer = route(index, none, request());
    expect(answer.chosen).toBeNull();
    expect(Object.fromEntries(answer.candidates.map((candidate) => [candidate.capabilityId, candidate.excluded?.key]))).toEqual({
      pending: 'candidatePending',
      changed: 'candidateChanged',
      away: 'candidateUnreachable',
      needs: 'candidateNeedsInput',
      closed: 'candidateNeedsInput',
    });
    expect(answer.reason.key).toBe('routeNone');
  });

  test('a step of one kind never reaches a capability of the other', () => {
    const index = indexCapabilities([capability('skill', { name: 'screen_names', kind: 'skill' })]);
    expect(route(index, none, request()).chosen).toBeNull();
    expect(route(index, none, request({ step: 'agent' })).chosen?.id).toBe('skill');
  });
});

describe('pinned', () => {
  test('to one connection’s capability, whose approval is for the policies to ask about', () => {
    const index = indexCapabilities([capability('a', { name: 'echo', state: 'pending' }), capability('b', { name: 'echo' })]);
    expect(route(index, none, request({ connection: 'peer-a', capability: 'echo' })).chosen?.id).toBe('a');
    expect(route(index, none, request({ connection: 'peer-c', capability: 'echo' })).reason.key).toBe('routePinnedMissing');
    expect(route(index, none, request({ capability: 'echo' })).reason.key).toBe('routePinnedAmbiguous');
  });
});

describe('whatever is offered', () => {
  const word = fc.constantFrom('screen', 'name', 'date', 'text', 'compare', 'redact', 'list', 'profile');
  const some = fc.uniqueArray(
    fc.record({
      id: fc.uuid(),
      words: fc.array(word, { minLength: 1, maxLength: 4 }),
      state: fc.constantFrom('approved', 'pending', 'changed', 'removed'),
      status: fc.constantFrom('connected', 'error', 'pending'),
    }),
    { selector: (one) => one.id, maxLength: 30 },
  );

  test('the choice is approved, reachable, the best scored, and does not depend on the order', () => {
    fc.assert(
      fc.property(some, fc.array(word, { minLength: 1, maxLength: 5 }), (offers, task) => {
        const capabilities = offers.map((one) =>
          capability(one.id, {
            name: one.words.join('_'),
            state: one.state as RoutableCapability['state'],
            connection: { name: one.id, slug: one.id, kind: 'mcp', status: one.status },
          }),
        );
        const answer = route(indexCapabilities(capabilities), none, request({ task: task.join(' ') }));
        expect(route(indexCapabilities([...capabilities].reverse()), none, request({ task: task.join(' ') }))).toEqual(answer);
        if (answer.chosen !== null) {
          expect(answer.chosen).toMatchObject({ state: 'approved', connection: { status: 'connected' } });
          expect(answer.candidates.filter((candidate) => candidate.chosen)).toHaveLength(1);
          expect(answer.candidates[0]?.score).toBe(Math.max(...answer.candidates.map((candidate) => candidate.score ?? -1)));
        }
        for (const candidate of answer.candidates) expect(candidate.excluded === null).toBe(candidate.score !== null);
      }),
    );
  });
});
