import { expect, test } from 'vitest';
import { remainingQuota } from '#app/engine/runs/start-run.ts';

const at = new Date('2026-11-22T12:00:00Z');
const since = new Date('2026-11-01T00:00:00Z');

test('the last start before the warning is plain, and none that comes near the end of the quota', () => {
  expect(remainingQuota({ plan: 'starter', trial_ends_at: null }, at)).toEqual({ since, below: 799 });
  expect(remainingQuota({ plan: 'professional', trial_ends_at: null }, at)).toEqual({ since, below: 7_999 });
  expect(remainingQuota({ plan: 'enterprise', trial_ends_at: null }, at)).toBeNull();
  expect(remainingQuota({ plan: 'enterprise', trial_ends_at: new Date('2026-11-22T11:00:00Z') }, at)).toEqual({ since, below: 799 });
});
