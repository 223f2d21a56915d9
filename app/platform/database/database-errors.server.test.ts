import { expect, test } from 'vitest';
import { asAppError } from '#app/platform/database/database-errors.server.ts';

test.each([
  ['22021', 'invalid_input'],
  ['22P05', 'invalid_input'],
  ['42501', 'forbidden'],
  ['QP001', 'unauthenticated'],
  ['57P03', 'unavailable'],
  ['53300', 'unavailable'],
  ['53100', 'unavailable'],
  ['57014', 'unavailable'],
  ['40P01', 'unavailable'],
  ['25006', 'unavailable'],
])('%s of the database is %s', (code, expected) => {
  expect(asAppError(Object.assign(new Error('refused'), { code }))).toMatchObject({ code: expected });
});

test('a defect stays what it was', () => {
  const defect = Object.assign(new Error('syntax error'), { code: '42601' });
  expect(asAppError(defect)).toBe(defect);
});
