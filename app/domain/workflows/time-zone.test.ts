import { expect, test } from 'vitest';
import { instantOf } from '#app/domain/workflows/time-zone.ts';

test.each([
  ['a time in winter', '2026-01-15T09:00', 'Europe/Berlin', '2026-01-15T08:00:00.000Z'],
  ['a time in summer', '2026-07-15 09:00', 'Europe/Berlin', '2026-07-15T07:00:00.000Z'],
  ['a day, which is its midnight', '2026-07-15', 'America/New_York', '2026-07-15T04:00:00.000Z'],
  ['a time that the clocks skip, as long after the change', '2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['a time that comes twice, the first', '2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['an offset of its own', '2026-07-15T09:00:00+05:30', 'Europe/Berlin', '2026-07-15T03:30:00.000Z'],
  ['UTC by its letter', '2026-07-15T09:00Z', 'Asia/Tokyo', '2026-07-15T09:00:00.000Z'],
  ['seconds', '2026-07-15T09:00:07', 'UTC', '2026-07-15T09:00:07.000Z'],
])('%s', (_name, text, zone, instant) => {
  expect(instantOf(text, zone)?.toISOString()).toBe(instant);
});

test.each([
  ['soon', 'UTC'],
  ['', 'UTC'],
  ['2026-02-30', 'UTC'],
  ['2026-13-01T00:00', 'UTC'],
  ['2026-07-15T25:00', 'UTC'],
  ['15 July 2026', 'UTC'],
  ['2026-02-30T09:00Z', 'UTC'],
  ['Tue Jul 14 2026 09:00 +0530', 'UTC'],
  ['2026-07-15T24:00', 'UTC'],
  ['2026-07-15T09:00+99:99', 'UTC'],
  ['2026-07-15T09:00', 'Europe/Atlantis'],
])('%s in %s is none', (text, zone) => {
  expect(instantOf(text, zone)).toBeNull();
});
