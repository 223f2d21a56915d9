import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { APP_PARTNERS } from '#app/domain/connections/app-partners.ts';
import { capabilitiesOfApp } from '#app/engine/connections/apps/app-peers.ts';
import { builtinConnections } from '#app/engine/connections/builtin-capabilities.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { inputSkeleton, inspectionDocument } from '#app/features/dev-console/inspection-document.ts';

test('what is typed reaches the capability as it is: text that looks like an expression stays text', () => {
  const { steps } = inspectionDocument(
    { protocol: 'mcp', connection: 'tools', capability: 'redact' },
    { text: '=1+1', n: 2, list: [1], deep: { a: null } },
  );
  const [step] = steps;
  if (step?.kind !== 'tool') throw new Error('no tool step');
  expect(step.input).toEqual({ text: '="=1+1"', n: '=2', list: '=[1]', deep: '={"a":null}' });
  for (const value of Object.values(step.input)) expect(parseExpression(value.slice(1))).toBeNull();
});

test('a skeleton has a place for what is required, with defaults and first choices', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: 'string' }, n: { type: 'integer', default: 3 }, c: { enum: ['x', 'y'] } },
    required: ['a', 'n', 'c'],
  };
  expect(JSON.parse(inputSkeleton(schema))).toEqual({ a: '', n: 3, c: 'x' });
  expect(inputSkeleton(null)).toBe('{}');
});

test('a skeleton hides nothing: what a default carries is spelled out and means the same', () => {
  const schema = { type: 'object', properties: { a: { type: 'string', default: 'x\u{e0041}\u200B' } } };
  expect(inputSkeleton(schema)).not.toMatch(/[\u200B\u{e0041}]/u);
  expect(JSON.parse(inputSkeleton(schema))).toEqual({ a: 'x\u{e0041}\u200B' });
});

test('a skeleton has the order of the properties, not of the list of what is required', () => {
  const schema = { type: 'object', properties: { zeta: {}, a: {}, mm: {} }, required: ['mm', 'undescribed', 'a', 'zeta'] };
  expect(Object.keys(JSON.parse(inputSkeleton(schema)))).toEqual(['zeta', 'a', 'mm', 'undescribed']);
});

const offered = [
  ...builtinConnections().flatMap(({ capabilities }) => capabilities),
  ...APP_PARTNERS.flatMap((partner) => capabilitiesOfApp(partner)),
];
const HARD: [string, Json][] = [
  ['lengths', { type: 'string', minLength: 12, maxLength: 14 }],
  ['a date', { type: 'string', format: 'date' }],
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}$' }],
  ['a least number', { type: 'number', minimum: 3.2 }],
  ['a number above another', { type: 'integer', exclusiveMinimum: 4, multipleOf: 5 }],
  ['a most below zero', { type: 'integer', maximum: -3 }],
  ['several types', { type: ['null', 'integer'], minimum: 1 }],
  ['a choice', { anyOf: [{ type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] }, { type: 'string' }] }],
  ['parts of one', { allOf: [{ type: 'string' }, { minLength: 2 }] }],
  ['a list that wants some', { type: 'array', minItems: 2, items: { type: 'string', minLength: 1 } }],
  ['a reference', { $ref: '#/$defs/money' }],
];

test.each([
  ...offered.map(({ name, inputSchema }): [string, Json] => [name, inputSchema ?? { type: 'object' }]),
  ...HARD.map(([name, value]): [string, Json] => [
    name,
    {
      type: 'object',
      properties: { value },
      required: ['value'],
      additionalProperties: false,
      $defs: { money: { type: 'object', properties: { amount: { type: 'number', minimum: 1 } }, required: ['amount'] } },
    },
  ]),
])('the sample is taken by its own schema: %s', (_, schema) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(schema as object);
  expect([validate(JSON.parse(inputSkeleton(schema))), validate.errors]).toEqual([true, null]);
});
