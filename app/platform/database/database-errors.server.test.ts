import { expect, test } from 'vitest';
import { asAppError } from '#app/platform/database/database-errors.server.ts';

test.each([
  ['22021', 'invalid_input'],
  ['22P05', 'invalid_input'],
  ['42501', 'forbidden'],
  ['QP001', 'unauthenticated'],
])('%s of the database is %s', (code, expected) => {
  expect(asAppError(Object.assign(new Error('refused'), { code }))).toMatchObject({ code: expected });
});

test('a defect stays what it was', () => {
  const defect = Object.assign(new Error('syntax error'), { code: '42601' });
  expect(asAppError(defect)).toBe(defect);
});
