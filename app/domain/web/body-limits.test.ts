import { expect, test } from 'vitest';
import { largeBodyOf } from '#app/domain/web/body-limits.ts';

test('only the forms that take a whole workflow or a picture or files take more than a form', () => {
  expect(largeBodyOf('/auth')).toBeNull();
  expect(largeBodyOf('/dashboard/workflows/1/edit/settings')).toBeNull();
  expect(largeBodyOf('/dashboard/workflows/1/edit/json')).toEqual({ kind: 'workflow', id: '1' });
  expect(largeBodyOf('/dashboard/workflows/1/edit/json.data')).toEqual({ kind: 'workflow', id: '1' });
  expect(largeBodyOf('/dashboard/account/profile')).toBeNull();
  expect(largeBodyOf('/dashboard/account/profile/picture')).toEqual({ kind: 'picture' });
  expect(largeBodyOf('/dashboard/account/profile/picture.data')).toEqual({ kind: 'picture' });
  expect(largeBodyOf('/dashboard/account/profile/picture/more')).toBeNull();
  expect(largeBodyOf('/dashboard/workflows/1/2/edit/json')).toBeNull();
  expect(largeBodyOf('/dashboard/workflows/1/run.data')).toEqual({ kind: 'upload' });
  expect(largeBodyOf('/dashboard/workflows/1/run/2')).toBeNull();
});
