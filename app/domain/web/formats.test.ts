import { expect, test } from 'vitest';
import { makeFormats } from '#app/domain/web/formats.ts';

const formats = makeFormats({ language: 'en', timeZone: 'Asia/Tokyo', now: '2026-11-20T10:00:00.000Z' });

test.each([
  ['2026-11-20T09:59:58.000Z', '2 seconds ago'],
  ['2026-11-20T10:00:00.000Z', 'now'],
  ['2026-11-20T09:55:10.000Z', '4 minutes ago'],
  ['2026-11-20T13:00:00.000Z', 'in 3 hours'],
  ['2026-11-18T10:00:00.000Z', '2 days ago'],
  ['2025-10-01T00:00:00.000Z', 'last year'],
])('%s is %s', (at, words) => {
  expect(formats.relativeTime(at)).toBe(words);
});

test('a relative time continues with what has passed since the page was made', () => {
  expect(formats.relativeTime('2026-11-20T09:59:58.000Z', 60_000)).toBe('1 minute ago');
  expect(formats.relativeTime('2026-11-20T10:00:30.000Z', 60_000)).toBe('30 seconds ago');
});

test('an exact time is the reader’s own, with its zone', () => {
  expect(formats.exactTime('2026-11-20T10:17:05.000Z')).toMatch(/Nov 20, 2026.*7:17:05.PM GMT\+9/);
});

test.each([
  [320, '320 ms'],
  [4_200, '4.2 sec'],
  [64_000, '1 min 4 sec'],
  [119_900, '1 min 59 sec'],
  [600_400, '10 min'],
  [7_200_000, '2 hr'],
  [7_260_000, '2 hr 1 min'],
])('%d ms lasts %s', (milliseconds, words) => {
  expect(formats.duration(milliseconds)).toBe(words);
});

test.each<['en' | 'ar', number, string]>([
  ['en', 3_140_000, '$3.14'],
  ['en', 302_437, '$0.3024'],
  ['en', 400_000, '$0.40'],
  ['en', 1_038, '$0.001038'],
  ['ar', 302_437, '\u200F0.3024\u00A0US$\u200E'],
])('in %s, %d millionths of a dollar are %s', (language, micros, words) => {
  expect(makeFormats({ language, timeZone: 'UTC', now: '2026-11-20T10:00:00.000Z' }).money(micros)).toBe(words);
});
