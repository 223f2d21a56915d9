import { expect, it } from 'vitest';
import { hostOf, localTime } from '#app/engine/policy/circumstances.ts';

it.each([
  ['2026-03-29T00:59:59.000Z', 'Europe/Berlin', 'sunday', '2026-03-29', 1],
  ['2026-03-29T01:00:00.000Z', 'Europe/Berlin', 'sunday', '2026-03-29', 3],
  ['2026-10-25T01:00:00.000Z', 'Europe/Berlin', 'sunday', '2026-10-25', 2],
  ['2026-11-26T23:30:00.000Z', 'Asia/Tokyo', 'friday', '2026-11-27', 8],
  ['2026-12-31T23:30:00.000Z', 'UTC', 'thursday', '2026-12-31', 23],
  ['2027-01-01T00:00:00.000Z', 'UTC', 'friday', '2027-01-01', 0],
])('%s in %s is %s, %s, hour %i', (at, zone, weekday, date, hour) => {
  expect(localTime(new Date(at), zone)).toEqual({ at, zone, weekday, date, hour });
});

it('refuses a zone that does not exist', () => {
  expect(() => localTime(new Date(), 'Mars/Olympus')).toThrow(RangeError);
});

it.each([
  ['https://CRM.example:8443/mcp', 'crm.example'],
  ['builtin:tools', ''],
  ['stdio:ledger', ''],
  ['no address', ''],
])('the host of %s is "%s"', (endpoint, host) => {
  expect(hostOf(endpoint)).toBe(host);
});
