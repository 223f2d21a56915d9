import { describe, expect, test } from 'vitest';
import { slugFor } from '#app/engine/workspaces/slug-for.ts';
import { codeSchema, newPasswordSchema } from '#app/features/auth/sign-in/credentials-schema.ts';

describe('a new password', () => {
  test.each(['sechse', ' spaces are kept ', 'ñandú💚', 'x'.repeat(72)])('may be %j, unchanged', (password) => {
    expect(newPasswordSchema.parse(password)).toBe(password);
  });
  test.each([
    ['abcde', /too_small|>=6/],
    ['x'.repeat(73), /passwordTooLong/],
    ['ü'.repeat(37), /passwordTooLong/],
  ])('may not be %j', (password, reason) => {
    const result = newPasswordSchema.safeParse(password);
    expect(JSON.stringify(result.error?.issues)).toMatch(reason);
  });
});

test('a code may be typed with spaces', () => {
  expect(codeSchema.parse(' 123 456 ')).toBe('123456');
  expect(codeSchema.safeParse('12345').success).toBe(false);
  expect(codeSchema.safeParse('12345a').success).toBe(false);
});

test.each([
  ['Ada Lovelace', /^ada-lovelace$/],
  ['  José Ñúñez!  ', /^jose-nunez$/],
  ['محمد', /^workspace-[0-9a-f]{6}$/],
  ['-'.repeat(80), /^workspace-[0-9a-f]{6}$/],
  ['a'.repeat(80), /^a{40}$/],
])('the address of a workspace of %j', (name, slug) => {
  expect(slugFor(name, false)).toMatch(slug);
  expect(slugFor(name, true)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/);
});
