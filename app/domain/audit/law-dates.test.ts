import { expect, test } from 'vitest';
import { changesAfter, type LawDates, validityOn } from '#app/domain/audit/law-dates.ts';

const staged: LawDates = {
  inForce: '2024-08-01',
  applies: [{ part: 'Articles 1 to 5', from: '2025-02-02' }, { from: '2026-08-02' }],
  supersededBy: { name: 'the next one', on: '2030-01' },
};

test.each([
  ['2024-07-31', 'coming'],
  ['2025-02-01', 'coming'],
  ['2025-02-02', 'partly'],
  ['2026-08-01', 'partly'],
  ['2026-08-02', 'inForce'],
  ['2029-12-31', 'inForce'],
  ['2030-01-01', 'superseded'],
] as const)('on %s a law in stages is %s', (today, validity) => {
  expect(validityOn(staged, today)).toBe(validity);
});

test('a draft stays one however old it is, and a law without dates is in force', () => {
  expect(validityOn({ applies: [], draftOf: '2025-07-07' }, '2040-01-01')).toBe('draft');
  expect(validityOn({ applies: [] }, '2026-11-27')).toBe('inForce');
});

test('only later dates are ahead, the nearest first', () => {
  expect(changesAfter(staged, '2025-02-02')).toEqual([
    { on: '2026-08-02', kind: 'applies' },
    { on: '2030-01', kind: 'superseded', by: 'the next one' },
  ]);
  expect(changesAfter(staged, '2030-01-01')).toEqual([]);
});
