import { expect, test } from 'vitest';
import { cutPage, readNamedKey, writeNamedKey } from '#app/domain/connections/named-key.ts';

const id = '01a1fa7f-cef1-76d1-bdf4-6313205b053c';

test.each(['', 'Accounts', 'وكيل الحسابات', 'two\nlines'])('a row named %j is found again', (name) => {
  expect(readNamedKey(writeNamedKey({ id, name }))).toEqual({ id, name });
});

test.each([null, '', 'Accounts', `${id.slice(1)}Accounts`, `${id}${'x'.repeat(201)}`])('%j begins at the first page', (text) => {
  expect(readNamedKey(text)).toBeNull();
});

test('a page ends where the next begins', () => {
  const rows = ['a', 'b', 'c'].map((name) => ({ id, name }));
  expect(cutPage(rows, 2)).toEqual({ shown: rows.slice(0, 2), next: `${id}b` });
  expect(cutPage(rows, 3)).toEqual({ shown: rows, next: null });
  expect(cutPage([], 3)).toEqual({ shown: [], next: null });
});
