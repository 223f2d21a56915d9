import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ResumedStreams } from '#app/engine/mcp/resumed-stream.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('comes back while a call is under way, no sooner than the server says, and never in haste', () => {
  const resumed = new ResumedStreams();
  const comeBack = vi.fn();
  resumed.hold();
  resumed.options.reconnectionScheduler(comeBack, 2_000);
  vi.advanceTimersByTime(1_999);
  expect(comeBack).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(comeBack).toHaveBeenCalledTimes(1);
  resumed.options.reconnectionScheduler(comeBack, 0);
  vi.advanceTimersByTime(499);
  expect(comeBack).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1);
  expect(comeBack).toHaveBeenCalledTimes(2);
});

test('does not come back for a call that has ended', () => {
  const resumed = new ResumedStreams();
  const comeBack = vi.fn();
  resumed.hold();
  resumed.options.reconnectionScheduler(comeBack, 1_000);
  resumed.release();
  vi.advanceTimersByTime(60_000);
  expect(comeBack).not.toHaveBeenCalled();
});

test('knows a stream that is taken up again by the id of its last event', () => {
  const resumed = new ResumedStreams();
  expect(resumed.isOne({ headers: { 'Last-Event-ID': '7' } })).toBe(true);
  expect(resumed.isOne({ headers: { accept: 'text/event-stream' } })).toBe(false);
  expect(resumed.isOne(undefined)).toBe(false);
});
