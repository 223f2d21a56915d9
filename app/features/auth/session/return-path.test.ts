import { expect, test } from 'vitest';
import { returnPath, signInPath } from '#app/features/auth/session/return-path.ts';

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://evil.example/dashboard',
  'http:/evil.example',
  'javascript:alert(1)',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '@evil.example',
  'evil.example',
  '／／evil.example',
  'data:text/html,x',
  '',
])('stays on this site: %j', (wish) => {
  expect(returnPath(wish)).toBe('/dashboard');
});

test.each(['/%2F%2Fevil.example', '/@evil.example', '/／evil.example', '/dashboard/../..//evil.example'])(
  'whatever it becomes, the host is ours: %j',
  (wish) => {
    expect(new URL(returnPath(wish), 'https://quorate.example').host).toBe('quorate.example');
  },
);

test('a path of ours is kept with its query, and signing in never leads back to signing in', () => {
  expect(returnPath('/dashboard/runs?page=2')).toBe('/dashboard/runs?page=2');
  for (const wish of ['/auth', '/auth?next=/auth', '/auth/confirm?code=x', '/reset-password']) expect(returnPath(wish)).toBe('/dashboard');
  expect(returnPath('/authors')).toBe('/authors');
});

test('the sign-in screen carries the wish', () => {
  expect(signInPath('/dashboard')).toBe('/auth');
  expect(signInPath('/dashboard/runs?page=2')).toBe('/auth?next=%2Fdashboard%2Fruns%3Fpage%3D2');
});
