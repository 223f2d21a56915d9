import { expect, test } from 'vitest';
import { bodyMaxBytes } from '#app/platform/http/body-limit.ts';

test('only the forms that take a whole workflow or a picture take more than a form', () => {
  expect(bodyMaxBytes('/auth')).toBe(1_048_576);
  expect(bodyMaxBytes('/dashboard/workflows/1/edit/settings')).toBe(1_048_576);
  expect(bodyMaxBytes('/dashboard/workflows/1/edit/json')).toBe(8_388_608);
  expect(bodyMaxBytes('/dashboard/workflows/1/edit/json.data')).toBe(8_388_608);
  expect(bodyMaxBytes('/dashboard/account/profile')).toBe(1_048_576);
  expect(bodyMaxBytes('/dashboard/account/profile/picture')).toBe(8_388_608);
  expect(bodyMaxBytes('/dashboard/account/profile/picture.data')).toBe(8_388_608);
  expect(bodyMaxBytes('/dashboard/account/profile/picture/more')).toBe(1_048_576);
  expect(bodyMaxBytes('/dashboard/workflows/1/2/edit/json')).toBe(1_048_576);
});
