import {
  type CedarValueJson,
  type EntityJson,
  policyToJson,
  preparsePolicySet,
  statefulIsAuthorized,
} from '@cedar-policy/cedar-wasm/nodejs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { worldOf } from '#app/engine/policy/slicing/cedar-values.ts';
import { foresightOf } from '#app/engine/policy/slicing/foresee-rules.ts';

/** Few values, so that conditions and requests often meet. */
const NUMBERS = ['-1.5', '-0.5', '0.0', '0.0001', '1.0', '1.50', '922337203685477.5807'] as const;
const WORDS = ['DE', 'D', 'E', 'DE DE', 'Ä*', '*', '😀', ''] as const;
const LONGS = [-1, 0, 1, 2, 9_007_199_254_740_991] as const;
const word = fc.constantFrom(...WORDS).map((text) => JSON.stringify(text));
const long = fc.constantFrom(...LONGS).map(String);
const amount = fc.constantFrom(...NUMBERS).map((text) => `decimal("${text}")`);
const list = fc.array(fc.oneof(word, word, long), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`);
const pattern = fc.array(fc.constantFrom('*', 'D', 'E', 'DE', '\\*', '😀', 'Ä'), { maxLength: 4 }).map((parts) => `"${parts.join('')}"`);

/** Places that are there, that may be missing, and that never are. */
const place = fc.constantFrom(
  ...[
    'input.amount',
    'input.order',
    'input.payee.country',
    'input.tags',
    'input.express',
    'input["with space"]',
    'risk',
    'hour',
    'gone.far',
  ],
);
const at = place.map((one) => `context.${one}`);
const atom = fc.oneof(
  fc.tuple(at, fc.constantFrom('==', '!='), fc.oneof(word, long, amount, at, fc.constant('true'))).map((parts) => parts.join(' ')),
  fc.tuple(at, fc.constantFrom('<', '<=', '>', '>='), long).map((parts) => parts.join(' ')),
  fc
    .tuple(at, fc.constantFrom('lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'), amount)
    .map(([subject, name, value]) => `${subject}.${name}(${value})`),
  fc.tuple(at, pattern).map(([subject, like]) => `${subject} like ${like}`),
  fc.tuple(at, fc.constantFrom('contains'), fc.oneof(word, long)).map(([subject, name, value]) => `${subject}.${name}(${value})`),
  fc.tuple(at, fc.constantFrom('containsAll', 'containsAny'), list).map(([subject, name, value]) => `${subject}.${name}(${value})`),
  fc.tuple(list, at).map(([items, subject]) => `${items}.contains(${subject})`),
  at.map((subject) => `${subject}.isEmpty()`),
  at,
  fc.constantFrom('input', 'gone', 'input.amount', 'input.payee.country', 'risk.more').map((one) => `context has ${one}`),
  fc.constantFrom('amount', '"with space"', 'tags', 'payee.country').map((one) => `context.input has ${one}`),
  fc.constantFrom(
    'principal in Role::"user"',
    'principal in [Role::"admin", Role::"builder"]',
    'principal == Member::"ann"',
    'principal is Member',
    'resource is Role',
    'resource.name == "pay"',
    'resource.connection.slug == "bank"',
    'resource.connection has host',
    'resource.connection == Connection::"c2"',
    'action == Action::"bank/pay"',
    'action in Action::"call_tool"',
    'context.hour + 1 > 2',
    'context.input == {}',
    '"DE" in Role::"user"',
  ),
);
const expression = fc.letrec<{ any: string }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    atom,
    fc.tuple(tie('any'), fc.constantFrom('&&', '||'), tie('any')).map(([left, sign, right]) => `((${left}) ${sign} (${right}))`),
    tie('any').map((inner) => `!(${inner})`),
    fc.tuple(tie('any'), tie('any'), tie('any')).map(([test, then, other]) => `(if ${test} then ${then} else ${other})`),
  ),
})).any;
const clause = fc.tuple(fc.constantFrom('when', 'unless'), expression).map(([kind, body]) => `${kind} { ${body} }`);
const scope = fc
  .tuple(
    fc.constantFrom(
      'principal',
      'principal',
      'principal in Role::"user"',
      'principal == Member::"eve"',
      'principal is Member in Role::"admin"',
    ),
    fc.constantFrom(
      'action',
      'action in Action::"call_tool"',
      'action == Action::"bank/pay"',
      'action in [Action::"a", Action::"call_model"]',
    ),
    fc.constantFrom('resource', 'resource', 'resource is Capability', 'resource == Capability::"t2"'),
  )
  .map((parts) => parts.join(', '));
const rule = fc
  .tuple(scope, fc.array(clause, { minLength: 1, maxLength: 2 }))
  .map(([head, clauses]) => `forbid(${head})\n${clauses.join('\n')};`);

const decimal = (arg: string) => ({ __extn: { fn: 'decimal' as const, arg } });
const fields = fc.record(
  {
    amount: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...NUMBERS).map(decimal) }, { weight: 1, arbitrary: fc.constant('DE') }),
    order: fc.constantFrom(...LONGS),
    payee: fc.record({ country: fc.constantFrom(...WORDS) }, { requiredKeys: [] }),
    express: fc.boolean(),
    tags: fc.subarray([...WORDS]),
    'with space': fc.constantFrom(...WORDS),
  },
  { requiredKeys: [] },
);
const input = fields.map((some): CedarValueJson => JSON.parse(JSON.stringify(some)));
type Request = Parameters<typeof worldOf>[0] & { entities: EntityJson[] };
const request = fc
  .record({
    input,
    roles: fc.subarray(['user', 'admin']),
    risk: fc.constantFrom(...WORDS),
    hour: fc.constantFrom(...LONGS),
    named: fc.boolean(),
  })
  .map(
    ({ roles, named, ...context }): Request => ({
      principal: { type: 'Member', id: 'ann' },
      action: { type: 'Action', id: named ? 'bank/pay' : 'call_tool' },
      resource: { type: 'Capability', id: 't1' },
      context,
      entities: [
        { uid: { type: 'Member', id: 'ann' }, attrs: {}, parents: roles.map((id) => ({ type: 'Role', id })) },
        { uid: { type: 'Connection', id: 'c1' }, attrs: { slug: 'bank', host: 'bank.example' }, parents: [] },
        {
          uid: { type: 'Capability', id: 't1' },
          attrs: { name: 'pay', connection: { __entity: { type: 'Connection', id: 'c1' } } },
          parents: [],
        },
        ...(named ? [{ uid: { type: 'Action', id: 'bank/pay' }, attrs: {}, parents: [{ type: 'Action', id: 'call_tool' }] }] : []),
      ],
    }),
  );

it('foresees of every rule and request what Cedar then answers, and nothing of a rule that fails', () => {
  const counted = { foreseen: 0, clean: 0 };
  fc.assert(
    fc.property(rule, fc.array(request, { minLength: 4, maxLength: 4 }), (text, requests) => {
      const parsed = policyToJson(text);
      if (parsed.type === 'failure') throw new Error(`${text}\n${JSON.stringify(parsed.errors)}`);
      const foresee = foresightOf(parsed.json);
      preparsePolicySet('rule', { staticPolicies: { a: text, p: 'permit(principal, action, resource);' } });
      for (const one of requests) {
        const answer = statefulIsAuthorized({ ...one, preparsedPolicySetId: 'rule' });
        if (answer.type === 'failure') throw new Error(JSON.stringify(answer.errors));
        const { decision, diagnostics } = answer.response;
        const fails = diagnostics.errors.length > 0;
        const foreseen = foresee(worldOf(one));
        counted.clean += fails ? 0 : 1;
        counted.foreseen += foreseen === null ? 0 : 1;
        if (foreseen !== null) expect({ fails, applies: decision === 'deny' }, text).toEqual({ fails: false, applies: foreseen });
      }
    }),
    { numRuns: process.env.QUORATE_TEST_FULL ? 20_000 : 150 },
  );
  // of what does not fail little is left for Cedar
  expect(counted.foreseen).toBeGreaterThan(counted.clean * 0.85);
});
