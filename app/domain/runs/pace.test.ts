import { expect, test } from 'vitest';
import { DEFAULT_PACES, pacesInForce, readPaces } from '#app/domain/runs/pace.ts';

test('a workspace has the pace that it chose, or the usual one where it chose none that can be read', () => {
  expect(readPaces({ paces: { keys: 50, hooks: 7 }, checkpoints: {} })).toEqual({ keys: 50, hooks: 7 });
  expect(readPaces({ paces: { keys: 'many' } })).toEqual(DEFAULT_PACES);
  for (const none of [{}, null, undefined, 'x']) expect(readPaces(none)).toEqual(DEFAULT_PACES);
});

test('never above what the instance allows', () => {
  expect(pacesInForce({ keys: 5_000, hooks: 10 }, { keys: 1_000, hooks: 100 })).toEqual({ keys: 1_000, hooks: 10 });
});
