import { afterEach, expect, test, vi } from 'vitest';
import { firstLanguage, keepLanguage, keptLanguage } from '#app/components/look/language-storage.ts';

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

afterEach(() => vi.unstubAllGlobals());

test('the cookie of the server stays as it is: the choice may have been given to this visit alone while the page was on its way', () => {
  const written: string[] = [];
  const page = {
    get cookie() {
      return 'lng=de';
    },
    set cookie(value: string) {
      written.push(value);
    },
  };
  const setItem = vi.fn();
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('window', { localStorage: { setItem, removeItem: vi.fn() } });
  keepLanguage('de', false);
  expect(written).toEqual([]);
  expect(setItem).toHaveBeenCalledWith('i18nextLng', 'de');
  keepLanguage('fr', false);
  expect(written).toEqual([expect.stringMatching(/^lng=fr; Path=\/; Max-Age=31536000/)]);
});
