import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { EXPRESSION_FUNCTIONS } from '#app/domain/workflows/mappings/functions.ts';
import { evaluate } from '#app/engine/runs/expressions/evaluate.ts';

const SCOPE = { input: {}, steps: {}, run: { id: 'r', mode: 'test', startedAt: '2026-11-01T00:00:00Z' } };
const offered = Object.keys(EXPRESSION_FUNCTIONS);

test('each function that is offered while one types is there in an expression', async () => {
  const kinds = await evaluate(`{${offered.map((name) => `"${name}": $type($${name})`).join(', ')}}`, SCOPE);
  expect(kinds).toEqual(Object.fromEntries(offered.map((name) => [name, 'function'])));
  expect(await evaluate('$type($nonesuch)', SCOPE)).toBeNull();
});

test('each function that JSONata has is offered, but for those that do nothing here', () => {
  const source = readFileSync(createRequire(import.meta.url).resolve('jsonata'), 'utf8');
  const all = [...source.matchAll(/(?:staticFrame|environment)\.bind\('([a-zA-Z]\w*)', defineFunction/g)].map(([, name]) => name ?? '');
  expect([...new Set(all)].sort()).toEqual([...offered, 'eval', 'random', 'shuffle'].sort());
});
