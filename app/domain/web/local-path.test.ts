import { expect, test } from 'vitest';
import { localPath } from '#app/domain/web/local-path.ts';

test.each(['/dashboard', '/dashboard/runs?page=2#last', '/a b'])('keeps a path of this origin: %s', (path) => {
  expect(localPath(path, '/')).toBe(path.replace(' ', '%20'));
});

test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/..//evil.example',
  'javascript:alert(1)',
  '',
  null,
  42,
])('refuses %j', (path) => {
  expect(localPath(path, '/fallback')).toBe('/fallback');
});
