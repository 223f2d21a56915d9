import { expect, test } from 'vitest';
import { WeightedCache } from '#app/engine/serving/weighted-cache.ts';

test('what was used last is kept, up to the weight of all together', () => {
  const cache = new WeightedCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  expect(cache.get('a')).toBe('A');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
});

test('a value that is set again weighs once, and one that is too heavy pushes nothing out', () => {
  const cache = new WeightedCache<string>(10);
  for (let n = 0; n < 5; n += 1) cache.set('a', `A${n}`, 6);
  cache.set('b', 'B', 4);
  cache.set('heavy', 'H', 11);
  expect(['a', 'b', 'heavy'].map((key) => cache.get(key))).toEqual(['A4', 'B', undefined]);
});
