import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { constantTimeResponse } from '#app/features/auth/sign-in/constant-time-response.server.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** How long the answer takes when the work takes so long and ends so. */
async function answerAfter(workMs: number, fails = false): Promise<number> {
  const startedAt = performance.now();
  const work = () => new Promise<void>((resolve, reject) => setTimeout(fails ? () => reject(new Error('no')) : resolve, workMs));
  const answer = constantTimeResponse(work).catch(() => undefined);
  await vi.runAllTimersAsync();
  await answer;
  return performance.now() - startedAt;
}

// The service hashes a password (100 to 170 ms) only where there is an account, and answers within 3 ms where there is none.
test.each([1, 3, 100, 170, 499])('an answer that took %d ms leaves after half a second, as one that failed does', async (workMs) => {
  expect(Math.abs((await answerAfter(workMs)) - 500)).toBeLessThan(20);
  expect(Math.abs((await answerAfter(workMs, true)) - 500)).toBeLessThan(20);
});

test('one that took longer leaves with the next beat', async () => {
  expect(Math.abs((await answerAfter(700)) - 1_000)).toBeLessThan(20);
});
