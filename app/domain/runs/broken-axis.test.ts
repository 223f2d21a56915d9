import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { breakAxis } from '#app/domain/runs/broken-axis.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('an axis of time', () => {
  it('is linear where work fills it', () => {
    const axis = breakAxis([{ start: 0, end: 1_000 }], 0, 1_000);
    expect(axis.breaks).toEqual([]);
    expect([0, 250, 1_000].map(axis.placeOf)).toEqual([0, 0.25, 1]);
  });

  it('leaves work nearly all of the width beside waits of days and hours', () => {
    const work = [
      { start: 0, end: 5_000 },
      { start: 5_000 + 52 * HOUR, end: 10_000 + 52 * HOUR },
      { start: 10_000 + 53 * HOUR, end: 12_000 + 53 * HOUR },
    ];
    const axis = breakAxis(work, 0, 12_000 + 53 * HOUR);
    expect(axis.breaks.map(({ ms }) => ms)).toEqual([52 * HOUR, HOUR]);
    const filled = work.reduce((sum, { start, end }) => sum + axis.placeOf(end) - axis.placeOf(start), 0);
    expect(filled).toBeCloseTo(0.92);
  });

  it('does not cut short what is under a minute, or a small part of the whole', () => {
    expect(breakAxis([{ start: 0, end: 1 }], 0, 59_000).breaks).toEqual([]);
    const work = [
      { start: 0, end: 10 * HOUR },
      { start: 11 * HOUR, end: 20 * HOUR },
    ];
    expect(breakAxis(work, 0, 20 * HOUR).breaks).toEqual([]);
  });

  it('cuts nothing where nothing was done at all', () => {
    const axis = breakAxis([], 0, DAY);
    expect(axis.breaks).toEqual([]);
    expect(axis.placeOf(DAY)).toBe(1);
  });

  const stretch = fc.tuple(fc.integer({ min: 0, max: 40 * DAY }), fc.integer({ min: 1, max: 2 * DAY }));
  it('keeps the order of times, stays within the width, and finds each time again', () => {
    fc.assert(
      fc.property(
        fc.array(stretch, { maxLength: 20 }),
        fc.array(fc.integer({ min: 0, max: 42 * DAY }), { minLength: 2 }),
        (work, times) => {
          const axis = breakAxis(
            work.map(([start, length]) => ({ start, end: start + length })),
            0,
            42 * DAY,
          );
          const places = times.sort((a, b) => a - b).map(axis.placeOf);
          places.forEach((place, index) => {
            expect(place).toBeGreaterThanOrEqual(-1e-9);
            expect(place).toBeLessThanOrEqual(1 + 1e-9);
            if (index > 0) expect(place).toBeGreaterThanOrEqual((places[index - 1] ?? 0) - 1e-9);
            const found = axis.timeAt(place);
            if (found !== null && axis.breaks.every(({ from, to }) => Math.abs(place - from) > 1e-6 && Math.abs(place - to) > 1e-6))
              expect(Math.abs(found - (times[index] ?? 0))).toBeLessThan(2_000);
          });
          expect(axis.breaks.length).toBeLessThanOrEqual(6);
        },
      ),
    );
  });
});
