import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { passedSince, subscribeToPageClock } from '#app/components/live/page-clock.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const page = { hidden: false, addEventListener: vi.fn(), removeEventListener: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the times of a page continue while it stands, rest while nobody sees it, and begin again with another page', () => {
  const drawnAnew = vi.fn();
  const leave = subscribeToPageClock(drawnAnew);
  expect(passedSince(NOW)).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(drawnAnew).toHaveBeenCalledTimes(6);
  expect(passedSince(NOW)).toBe(60_000);

  page.hidden = true;
  vi.advanceTimersByTime(60_000);
  expect(passedSince(NOW)).toBe(60_000);
  page.hidden = false;
  const [, seenAgain] = page.addEventListener.mock.calls.at(-1) ?? [];
  seenAgain();
  expect(passedSince(NOW)).toBe(120_000);

  expect(passedSince('2026-11-20T10:02:00.000Z')).toBe(0);
  leave();
  vi.advanceTimersByTime(60_000);
  expect(drawnAnew).toHaveBeenCalledTimes(7);
});
