import { describe, expect, it } from 'vitest';
import { type HealthFigures, judgeHealth } from '#app/domain/people/health.ts';

const AT = '2026-11-20T10:00:00.000Z';
const ago = (seconds: number) => new Date(Date.parse(AT) - seconds * 1_000).toISOString();
const calm: HealthFigures = {
  measuredAt: AT,
  queued: 0,
  queuedSince: null,
  connections: 3,
  failedChecks: 0,
  checkedAt: ago(3_600),
  unplacedSince: null,
  checkpointAt: ago(86_400),
  log: { finding: null, sampledAt: ago(30), wholeAt: ago(3_600) },
};
const found = (changes: Partial<HealthFigures>, halted = false) => {
  const { state, findings } = judgeHealth({ ...calm, ...changes }, halted);
  return [state, ...findings.map(({ about }) => about)];
};

describe('health', () => {
  it('is good where nothing waits, however old the last checkpoint is', () => {
    expect(found({})).toEqual(['healthy']);
    expect(found({ queued: 5, queuedSince: ago(60), unplacedSince: ago(60) })).toEqual(['healthy']);
  });

  it.each<[Partial<HealthFigures>, string[]]>([
    [{ queued: 1, queuedSince: ago(61) }, ['attention', 'wait']],
    [{ queued: 1, queuedSince: ago(601) }, ['fault', 'wait']],
    [{ queued: 1_001, queuedSince: ago(1) }, ['attention', 'queue']],
    [{ failedChecks: 2 }, ['attention', 'checks']],
    [{ unplacedSince: ago(61) }, ['attention', 'checkpoint']],
    [{ failedChecks: 1, unplacedSince: ago(700) }, ['fault', 'checkpoint', 'checks']],
    [{ failedChecks: 1, queued: 2_000, queuedSince: ago(90) }, ['attention', 'wait', 'checks', 'queue']],
  ])('names what is wrong: %j', (changes, expected) => {
    expect(found(changes)).toEqual(expected);
  });

  it('is a fault before all else where the audit log is not what was signed', () => {
    const log = { finding: { code: 'entryDropped', values: { index: 4 } }, sampledAt: ago(30), wholeAt: null } as const;
    expect(found({ log })).toEqual(['fault', 'log']);
    expect(found({ log, failedChecks: 1 }, true)).toEqual(['fault', 'log', 'halt', 'checks']);
  });

  it('under a halt is the halt: runs wait because they are meant to', () => {
    expect(found({ queued: 2_000, queuedSince: ago(7_000) }, true)).toEqual(['fault', 'halt']);
  });

  it('takes a clock that ran ahead for now', () => {
    expect(found({ queued: 1, queuedSince: ago(-30) })).toEqual(['healthy']);
  });
});
