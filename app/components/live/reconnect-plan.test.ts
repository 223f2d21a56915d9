import { expect, test } from 'vitest';
import { reconnectPause } from '#app/components/live/reconnect-plan.ts';

test('connects again after 1, 2, 5 and then always 10 seconds', () => {
  expect([0, 1, 2, 3, 4, 50].map(reconnectPause)).toEqual([1000, 2000, 5000, 10_000, 10_000, 10_000]);
});
