import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { nextTime, nextTimes, parseCron } from '#app/domain/workflows/cron.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';

const times = (text: string, zone: string, after: string, count: number) => {
  const cron = parseCron(text);
  if (cron === null) throw new Error(text);
  return nextTimes(cron, zone, new Date(after), count).map((time) => time.toISOString().slice(0, 16));
};

describe('reading', () => {
  it.each(['* * * * *', '*/5 0-23/2 1,15 jan-mar mon-fri', '0 9 * * 7', '59 23 31 12 sun'])('takes %s', (text) => {
    expect(parseCron(text)).not.toBeNull();
  });
  it.each([
    '',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    'a * * * *',
    '1,,2 * * * *',
  ])('refuses %j', (text) => {
    expect(parseCron(text)).toBeNull();
  });
  it('is quick with what is long', () => {
    const before = performance.now();
    expect(parseCron(`${'1,'.repeat(25_000)}* * * *`)).toBeNull();
    expect(performance.now() - before).toBeLessThan(5_000);
  });
  it('knows time zones', () => {
    expect(isTimeZone('Europe/Berlin')).toBe(true);
    expect(isTimeZone('Mars/Olympus')).toBe(false);
  });
});

describe('the next times', () => {
  it('follow the zone', () => {
    expect(times('0 9 * * mon-fri', 'Europe/Berlin', '2026-11-20T08:00:00Z', 3)).toEqual([
      '2026-11-23T08:00',
      '2026-11-24T08:00',
      '2026-11-25T08:00',
    ]);
    expect(times('30 23 * * *', 'Asia/Kathmandu', '2026-11-20T00:00:00Z', 1)).toEqual(['2026-11-20T17:45']);
    expect(times('0 0 * * *', 'Pacific/Kiritimati', '2026-11-20T09:59:00Z', 1)).toEqual(['2026-11-20T10:00']);
  });
  it('come once when the clocks are put forward, at a time that does not exist', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 3)).toEqual([
      '2026-03-29T01:30',
      '2026-03-30T00:30',
      '2026-03-31T00:30',
    ]);
    expect(times('30 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual(['2026-03-29T01:30', '2026-03-30T00:30']);
  });
  it('come once when the clocks are put back, at a time that exists twice', () => {
    expect(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30']);
  });
  it('follow the real hours where they come every hour', () => {
    expect(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 4)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
      '2026-10-25T03:00',
    ]);
    expect(times('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z', 3)).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ]);
  });
  it('know leap days, and what never comes', () => {
    expect(times('0 0 29 2 *', 'UTC', '2026-11-20T00:00:00Z', 1)).toEqual(['2028-02-29T00:00']);
    expect(times('0 0 30 2 *', 'UTC', '2026-11-20T00:00:00Z', 1)).toEqual([]);
  });
  it('take either day where both are restricted', () => {
    expect(times('0 0 13 * fri', 'UTC', '2026-11-10T00:00:00Z', 3)).toEqual(['2026-11-13T00:00', '2026-11-20T00:00', '2026-11-27T00:00']);
  });
});

const numbers = (max: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: 0, max }).map(String),
    fc.integer({ min: 2, max: 20 }).map((step) => `*/${step}`),
  );
test('each next time lies ahead and shows what was asked for, and none between is left out', () => {
  const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
  fc.assert(
    fc.property(
      numbers(59),
      numbers(23),
      fc.constantFrom(...zones),
      fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
      (minute, hour, zone, after) => {
        const cron = parseCron(`${minute} ${hour} * * *`);
        const next = cron && nextTime(cron, zone, after);
        if (!cron || !next) return false;
        if (next <= after || next.getTime() % 60_000 !== 0) return false;
        const shown = (time: number) => {
          const parts = new Intl.DateTimeFormat('en', {
            timeZone: zone,
            hourCycle: 'h23',
            hour: 'numeric',
            minute: 'numeric',
          }).formatToParts(time);
          return [
            Number(parts.find(({ type }) => type === 'hour')?.value),
            Number(parts.find(({ type }) => type === 'minute')?.value),
          ] as const;
        };
        const fits = (time: number) => {
          const [h, m] = shown(time);
          return cron.hours.has(h) && cron.minutes.has(m);
        };
        // around a change of the clocks times are moved: that has tests of its own above
        const offsetOf = (time: number) =>
          ((shown(time)[0] * 60 + shown(time)[1]) * 60_000 - (time % 86_400_000) + 2 * 86_400_000) % 86_400_000;
        const before = Math.floor(after.getTime() / 60_000) * 60_000 - 3 * 3_600_000;
        if (offsetOf(before) !== offsetOf(next.getTime() + 3 * 3_600_000)) return true;
        if (!fits(next.getTime())) return false;
        const from = Math.floor(after.getTime() / 60_000) * 60_000 + 60_000;
        for (let time = from; time < next.getTime(); time += 60_000) if (fits(time)) return false;
        return true;
      },
    ),
    // Two minutes after the clocks were put forward, one time that they left out is still to come.
    {
      numRuns: process.env.QUORATE_TEST_FULL ? 200 : 20,
      examples: [['*/16', '2', 'Australia/Lord_Howe', new Date('2026-10-03T15:32:00.000Z')]],
    },
  );
});
