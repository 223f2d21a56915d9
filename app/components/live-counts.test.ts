import { expect, test } from 'vitest';
import { countsNow } from '#app/components/live-counts.tsx';

const loadedWith = (unread: number) => ({ approvals: 0, unread });

test('what comes live counts over the page that it came to', () => {
  const loaded = loadedWith(0);
  expect(countsNow(loaded, { counts: loadedWith(1), over: loaded })).toEqual(loadedWith(1));
});

test('what came live over an earlier page is over, also when a later page is loaded with the same numbers', () => {
  const live = { counts: loadedWith(1), over: loadedWith(0) };
  expect(countsNow(loadedWith(1), live)).toEqual(loadedWith(1));
  expect(countsNow(loadedWith(0), live)).toEqual(loadedWith(0));
});
