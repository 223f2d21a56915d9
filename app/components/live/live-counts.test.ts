import { expect, test } from 'vitest';
import { countsNow } from '#app/components/live/live-counts.tsx';

const counted = (unread: number, at: number) => ({ approvals: 0, unread, at });

test('counts that came live stand over the page that was loaded before', () => {
  expect(countsNow(counted(0, 1), counted(1, 2))).toEqual(counted(1, 2));
});

test('a page that is loaded later stands over what came live before', () => {
  expect(countsNow(counted(0, 3), counted(1, 2))).toEqual(counted(0, 3));
});

test('a page that was counted before a change and arrives after it was told does not bring the old count back', () => {
  expect(countsNow(counted(1, 1), counted(0, 2))).toEqual(counted(0, 2));
  expect(countsNow(counted(1, 2), counted(0, 2))).toEqual(counted(0, 2));
});
