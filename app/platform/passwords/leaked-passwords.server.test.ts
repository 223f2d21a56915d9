import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLeaked } from '#app/platform/passwords/leaked-passwords.server.ts';
import { projectRoot } from '#app/platform/project-root.server.ts';

test.each(['password', 'Password', 'PASSWORD1', 'password2026!', 'qwerty', 'Qwerty12345', '123456', 'letmein', 'iloveyou99'])(
  '%s is known from leaks',
  (password) => expect(isLeaked(password)).toBe(true),
);

test.each([
  'correct horse battery',
  'a password of my own',
  'пароль моей бабушки',
  'x7#Lq-unheard-of',
  '!!!!!',
  '98431766402',
  'password and more',
])('%s is not', (password) => expect(isLeaked(password)).toBe(false));

test('the list is short, sorted and quick to look in', () => {
  const list = readFileSync(join(projectRoot(), 'app', 'platform', 'passwords', 'leaked-passwords.bin'));
  expect(list.length).toBeLessThan(300_000);
  const marks = Array.from({ length: list.length / 4 }, (_, at) => list.readUInt32BE(at * 4));
  expect(marks.length).toBeGreaterThan(19_000);
  expect(marks.every((mark, at) => at === 0 || mark > (marks[at - 1] ?? 0))).toBe(true);
  const startedAt = performance.now();
  for (let at = 0; at < 1_000; at += 1) isLeaked(`a password of my own ${at}`);
  expect((performance.now() - startedAt) / 1_000).toBeLessThan(1);
});
