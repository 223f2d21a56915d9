import { expect, it } from 'vitest';
import { isNarrowed } from '#app/domain/web/list-address.ts';

it.each([
  ['/list', false],
  ['/list?sort=-name', false],
  ['/list?q=a%26b', true],
  ['/list?status=active&sort=name', true],
])('the list at %s is narrowed: %s', (url, narrowed) => {
  expect(isNarrowed(url)).toBe(narrowed);
});

it.each([
  ['/list?owner=all', false],
  ['/list?owner=all&sort=name', false],
  ['/list?q=a&owner=all', true],
  ['/list', true],
])('where everything stands at ?owner=all, the list at %s is narrowed: %s', (url, narrowed) => {
  expect(isNarrowed(url, '/list?owner=all')).toBe(narrowed);
});
