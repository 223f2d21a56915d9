import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localTimeOf, readLocalTime } from '#app/domain/workflows/fields/local-time.ts';

test.each([
  ['2026-01-15T09:00', 'Europe/Berlin', '2026-01-15T08:00:00Z'],
  ['2026-01-15 09:00', 'Europe/Berlin', '2026-01-15T08:00:00Z'],
  ['2026-07-15T09:00:07', 'Asia/Kolkata', '2026-07-15T03:30:07Z'],
  ['2026-07-15T09:00:07.25', 'UTC', '2026-07-15T09:00:07.250Z'],
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00Z'],
])('%s in %s', (local, zone, instant) => {
  expect(readLocalTime({ local, zone })).toEqual({ instant });
});

test.each([
  ['2026-03-29T02:30', 'Europe/Berlin', 'skipped'],
  ['2026-01-15', 'UTC', 'shape'],
  ['2026-02-30T09:00', 'UTC', 'shape'],
  ['0026-01-15T09:00', 'UTC', 'shape'],
  ['2026-01-15T09:00Z', 'UTC', 'shape'],
  ['2026-01-15T09:00', 'Europe/Atlantis', 'shape'],
  ['2026-01-15T09:00', '', 'shape'],
])('%s in %s is none: %s', (local, zone, fault) => {
  expect(readLocalTime({ local, zone })).toEqual({ fault });
});

test('the second of two equal times of a day is shown in UTC, so that it stays the second', () => {
  expect(localTimeOf('2026-10-25T00:30:00Z', 'Europe/Berlin')).toEqual({ local: '2026-10-25T02:30', zone: 'Europe/Berlin' });
  expect(localTimeOf('2026-10-25T01:30:00Z', 'Europe/Berlin')).toEqual({ local: '2026-10-25T01:30', zone: 'UTC' });
  expect(localTimeOf('soon', 'UTC')).toBeNull();
});

test('an instant that is shown and read again is the same instant, in every zone', () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Africa/Casablanca', 'UTC');
  const date = fc.date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(date, zones, (at, zone) => {
      const shown = localTimeOf(at.toISOString(), zone);
      expect(readLocalTime(shown ?? { local: '', zone: '' })).toEqual({ instant: at.toISOString().replace('.000Z', 'Z') });
    }),
  );
});
