import { setImmediate as nextTurn } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { collectGarbage } from '#app/platform/release-start-memory.ts';

// In a function of its own, so that nothing on the stack holds the object.
const forgotten = () => new WeakRef({ bytes: new Uint8Array(1_000) });

it('collects what nobody holds any longer, and leaves no way to collect behind', async () => {
  const object = forgotten();
  await nextTurn();
  await collectGarbage();
  expect(object.deref()).toBeUndefined();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
