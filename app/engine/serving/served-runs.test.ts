import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RunChange, RunEnd, ServedRun } from '#app/contracts/runs.ts';
import type { Caller } from '#app/engine/serving/caller.ts';
import { askSentence, untilSettled } from '#app/engine/serving/served-runs.ts';

const started = new Date('2026-11-23T10:00:00Z');
const finishedAt = new Date('2026-11-23T10:00:00.020Z');
const begun: ServedRun = {
  id: 'run-1',
  number: 12,
  subject: null,
  workflowId: 'workflow-1',
  workflow: 'Echo',
  status: 'pending',
  mode: 'live',
  input: { n: 1 },
  output: null,
  error: null,
  requestKey: null,
  createdAt: started,
  updatedAt: started,
  finishedAt: null,
  ask: null,
};
const end: RunEnd = { status: 'completed', output: { n: 2 }, error: null, finishedAt };
const read: ServedRun = { ...begun, status: 'completed', output: 'as it was read' };

let tell: (change: RunChange, told?: RunEnd) => void;
const engine = {
  watchRun(_: unknown, onChange: typeof tell) {
    tell = onChange;
    return () => undefined;
  },
};
const readRun = vi.fn(async () => read);
const caller = { key: { workspace: { id: 'workspace-1' } }, readRun } as unknown as Caller;
const follow = () => untilSettled(caller, { engine } as never, 'run-1', { waitMs: 5_000, fresh: true, begun });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => vi.useRealTimers();
});
afterEach(() => void readRun.mockClear());

test('whoever waits is told which run waits', () => {
  const payment = { ...begun, subject: ['Jon Smith · ', { amount: 9900, currency: 'EUR' }] };
  const ask = { what: 'approval', id: null } as const;
  expect(askSentence(payment, ask)).toMatch(/^“Jon Smith · 9900 EUR · #12” waits for an approval\./);
  expect(askSentence({ ...begun, workflow: 'Ec\u200Bho' }, ask)).toMatch(/^“Echo · #12” waits/);
});

test('who started a run gets its end as it is told, without a reading', async () => {
  const answer = follow();
  tell('processing');
  tell('completed', end);
  expect(await answer).toEqual({ ...begun, status: 'completed', output: { n: 2 }, updatedAt: finishedAt, finishedAt });
  expect(readRun).not.toHaveBeenCalled();
});

test('an end that nobody tells, or that comes a second after the key was checked, is read by the key', async () => {
  const untold = follow();
  tell('completed');
  expect(await untold).toEqual(read);
  const late = follow();
  await vi.advanceTimersByTimeAsync(1_001);
  tell('completed', end);
  expect(await late).toEqual(read);
  expect(readRun).toHaveBeenCalledTimes(2);
});
