import { expect, test } from 'vitest';
import { parseExpression } from '#app/engine/runs/evaluate.ts';
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
