import { describe, expect, test } from 'vitest';
import { literalAs, propertySchema } from '#app/domain/workflows/mappings/mapping.ts';

describe('a literal is read as its target wants it', () => {
  test.each([
    ['12.5', { type: 'number' }, 12.5],
    ['12', { type: 'integer' }, 12],
    ['', { type: 'number' }, ''],
    ['twelve', { type: 'number' }, 'twelve'],
    ['true', { type: 'boolean' }, true],
    ['yes', { type: 'boolean' }, 'yes'],
    ['["a","b"]', { type: 'array' }, ['a', 'b']],
    ['{"a":1}', { type: 'object' }, { a: 1 }],
    ['{"a":', { type: 'object' }, '{"a":'],
    ['12', { type: 'string' }, '12'],
    ['12', { type: ['string', 'number'] }, '12'],
    ['', { type: ['number', 'null'] }, null],
    ['12', undefined, '12'],
    ['2', { enum: [1, 2] }, 2],
  ])('%j as %j', (text, schema, value) => {
    expect(literalAs(text, schema)).toEqual(value);
  });
});

test('the schema of a property is its own, never an inherited one', () => {
  expect(propertySchema({ properties: { a: { type: 'number' } } }, 'a')).toEqual({ type: 'number' });
  expect(propertySchema({ properties: {} }, 'constructor')).toBeUndefined();
  expect(propertySchema(null, 'a')).toBeUndefined();
});
