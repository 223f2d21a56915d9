import { expect, test } from 'vitest';
import { firstLanguage, keptLanguage } from '#app/components/look/language-storage.ts';

test.each([
  [['de', 'fr'], 'de'],
  [[null, 'pt-BR', 'es-MX', 'en'], 'es'],
  [['HE-il'], 'he'],
  [['iw-IL', 'en'], 'he'],
  [['xx', '', 'toString'], null],
])('of %j the browser reads %s', (tags, language) => {
  expect(firstLanguage(tags)).toBe(language);
});

test.each([
  ['a=b; lng=ar', 'ar'],
  ['lng=xx', null],
  ['xlng=de', null],
  ['', null],
])('the cookie %s says %s', (cookies, language) => {
  expect(keptLanguage(cookies)).toBe(language);
});
