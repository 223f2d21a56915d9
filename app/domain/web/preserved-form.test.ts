import { expect, test } from 'vitest';
import { CONFIRMED_WORKSPACE_FIELD, isPreservedForm, preserveForm } from '#app/domain/web/preserved-form.ts';

test('gives back what was typed, in order and with repetitions, but no secret, and names the file to choose again', () => {
  const form = new FormData();
  form.append('name', 'Ada');
  form.append('roles', 'user');
  form.append('roles', 'admin');
  form.append('password', 'secret');
  form.append('newPassword', 'secret');
  form.append('clientSecret', 'secret');
  form.append('apiKey', 'secret');
  form.append('file', new File(['x'], 'x.txt'));
  form.append('nothing', new File([], ''));
  form.append('document', 'x'.repeat(250_000));
  form.append(CONFIRMED_WORKSPACE_FIELD, 'x');
  const kept = preserveForm('sessionOver', '/dashboard', form, null);
  expect(kept.fields).toEqual([
    { name: 'name', value: 'Ada' },
    { name: 'roles', value: 'user' },
    { name: 'roles', value: 'admin' },
    { name: 'document', value: 'x'.repeat(250_000) },
  ]);
  expect(kept.files).toEqual([{ name: 'file', file: 'x.txt' }]);
  expect(isPreservedForm(JSON.parse(JSON.stringify(kept)))).toBe(true);
});

test('keeps no more than 256 KB, which the person then has in their browser alone', () => {
  const form = new FormData();
  form.append('document', 'x'.repeat(262_144));
  expect(() => preserveForm('sessionOver', '/dashboard', form, null)).toThrow(expect.objectContaining({ code: 'too_large' }));
});

test.each([null, undefined, 'sessionOver', { kept: 'other' }, { code: 'forbidden' }])('nothing else is a kept form: %j', (value) => {
  expect(isPreservedForm(value)).toBe(false);
});
