import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureDataDirectory, instanceSecret, joinedInstanceSecret, keptSecret } from '#app/platform/embedded/data-directory.server.ts';
import { DirectoryInUseError, lockDirectory } from '#app/platform/embedded/directory-lock.server.ts';

const OWN_KEY = 'a secret of thirty-two characters';
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quorate-directory-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test('a directory that is made is private, or passable where root makes it', () => {
  const made = join(directory, 'new');
  ensureDataDirectory(made);
  ensureDataDirectory(made);
  expect(statSync(made).mode & 0o777).toBe(process.getuid?.() === 0 ? 0o711 : 0o700);
});

test('a kept secret is made once, long, and readable by its owner alone', () => {
  const secret = keptSecret(directory, 'name');
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(keptSecret(directory, 'name')).toBe(secret);
  expect(keptSecret(directory, 'another')).not.toBe(secret);
  expect(statSync(join(directory, 'name')).mode & 0o777).toBe(0o600);
  expect(readdirSync(directory).sort()).toEqual(['another', 'name']);
});

describe('the instance’s key', () => {
  test('made at the first start stays, and is refused another', () => {
    const key = instanceSecret(directory, null);
    expect(instanceSecret(directory, null)).toBe(key);
    expect(instanceSecret(directory, key)).toBe(key);
    expect(() => instanceSecret(directory, OWN_KEY)).toThrow(/unset it, or set it to that file's content/);
    expect(joinedInstanceSecret(directory, null)).toBe(key);
  });

  test('set at the first start is needed ever after', () => {
    expect(instanceSecret(directory, OWN_KEY)).toBe(OWN_KEY);
    expect(readdirSync(directory)).toEqual(['secret-key.fingerprint']);
    expect(instanceSecret(directory, OWN_KEY)).toBe(OWN_KEY);
    expect(() => instanceSecret(directory, null)).toThrow(/set the same one again/);
    expect(() => instanceSecret(directory, `${OWN_KEY}!`)).toThrow(/set that one again/);
    expect(() => joinedInstanceSecret(directory, null)).toThrow(/set the same one for this process/);
    expect(joinedInstanceSecret(directory, OWN_KEY)).toBe(OWN_KEY);
  });
});

test('a directory’s lock is one holder’s until it lets go', () => {
  const first = lockDirectory(directory);
  expect(() => lockDirectory(directory)).toThrow(DirectoryInUseError);
  expect(() => lockDirectory(directory)).toThrow(new RegExp(`process ${process.pid} has served it since`));
  first.release();
  first.release();
  lockDirectory(directory).release();
});

test('a directory that cannot be made or written is told as what it is', (context) => {
  const readOnly = join(directory, 'read-only');
  mkdirSync(readOnly);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=64k', 'tmpfs', readOnly], { encoding: 'utf8' });
  if (mounted.status !== 0) context.skip(`nothing can be mounted here: ${mounted.stderr ?? mounted.error?.message}`);
  try {
    for (const path of [readOnly, join(readOnly, 'new'), join(readOnly, 'deeper', 'new')])
      expect(() => ensureDataDirectory(path)).toThrow(
        `The data directory ${path} cannot be written: it stands on a read-only file system.`,
      );
  } finally {
    spawnSync('umount', [readOnly]);
  }
  writeFileSync(join(directory, 'file'), '');
  expect(() => ensureDataDirectory(join(directory, 'file', 'new'))).toThrow('a part of its path is no directory');
});
