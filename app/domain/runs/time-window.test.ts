import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bucketsOf, readWindow, WINDOW_NAMES, windowOf, windowQuery } from '#app/domain/runs/time-window.ts';

const now = new Date('2026-11-20T13:37:00Z');
const read = (query: string) => readWindow(new URLSearchParams(query), now, '7d');

describe('a window', () => {
  test('is a length up to now, or own days with both included', () => {
    expect(read('').window).toMatchObject({
      name: '7d',
      from: new Date('2026-11-13T13:37:00Z'),
      until: now,
      before: new Date('2026-11-06T13:37:00Z'),
    });
    expect(read('from=2026-11-01&until=2026-11-03').window).toMatchObject({
      name: null,
      from: new Date('2026-11-01T00:00:00Z'),
      until: new Date('2026-11-04T00:00:00Z'),
      before: new Date('2026-10-29T00:00:00Z'),
      hours: 72,
    });
    expect(read('from=2026-11-20').window.until).toEqual(new Date('2026-11-21T00:00:00Z'));
  });

  test.each([
    'from=2026-11-03&until=2026-11-01',
    'from=2026-13-01',
    'until=soon',
    'from=2020-01-01&until=2026-01-01',
    'window=3d',
    'from=0001-01-01',
  ])('%s cannot be used and is given back', (query) => {
    const { valid, window, choice } = read(query);
    expect({ valid, name: window.name }).toEqual({ valid: false, name: '7d' });
    if (query.startsWith('from')) expect(choice.from).toBe(new URLSearchParams(query).get('from'));
  });

  test('keeps itself in an address', () => {
    for (const query of ['window=24h', 'from=2026-11-01&until=2026-11-03']) {
      const { choice, window } = read(query);
      expect(readWindow(new URLSearchParams(windowQuery(choice)), now, '90d').window).toEqual(window);
    }
  });

  test('has a series without gaps that covers it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...WINDOW_NAMES),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        (name, at) => {
          const window = windowOf(name, at);
          const starts = bucketsOf(window).map((start) => Date.parse(start));
          const step = window.unit === 'hour' ? 3_600_000 : 86_400_000;
          expect(starts[0]).toBeLessThanOrEqual(window.from.getTime());
          expect((starts.at(-1) ?? 0) + step).toBeGreaterThanOrEqual(window.until.getTime());
          expect(starts.every((start, index) => index === 0 || start - (starts[index - 1] ?? 0) === step)).toBe(true);
        },
      ),
    );
  });
});
