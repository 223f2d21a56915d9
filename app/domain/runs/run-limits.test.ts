import { expect, test } from 'vitest';
import { DEFAULT_RUN_CEILINGS, runLimitsInForce } from '#app/domain/runs/run-limits.ts';

test('a workspace that sets nothing has the limits of the instance', () => {
  expect(runLimitsInForce({}, DEFAULT_RUN_CEILINGS)).toEqual({ runsAtOnce: null, queuedRuns: 20_000 });
  expect(runLimitsInForce(null, { runsAtOnce: 9, queuedRuns: 5, queuedInAll: 10 })).toEqual({ runsAtOnce: 9, queuedRuns: 5 });
});

test('its own limits hold within those of the instance, and what cannot be read counts as not set', () => {
  const ceilings = { runsAtOnce: 10, queuedRuns: 100, queuedInAll: 1_000 };
  expect(runLimitsInForce({ limits: { runsAtOnce: 3, queuedRuns: 7 } }, ceilings)).toEqual({ runsAtOnce: 3, queuedRuns: 7 });
  expect(runLimitsInForce({ limits: { runsAtOnce: 30, queuedRuns: 700 } }, ceilings)).toEqual({ runsAtOnce: 10, queuedRuns: 100 });
  expect(runLimitsInForce({ limits: { runsAtOnce: 'all', queuedRuns: 0 } }, ceilings)).toEqual({ runsAtOnce: 10, queuedRuns: 100 });
});
