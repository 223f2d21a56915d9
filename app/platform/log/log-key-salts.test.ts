import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLogSigner } from '#app/platform/crypto.server.ts';
import { readEnv } from '#app/platform/env.server.ts';
import { addLogKey, readLogKeySalts } from '#app/platform/log/log-key-salts.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quorate-log-keys-'));
  vi.stubEnv('QUORATE_DATA_DIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('each call adds a key that follows the ones before, for the owner of the data directory alone', () => {
  expect(readLogKeySalts(readEnv())).toEqual([]);
  expect(addLogKey().file).toBe(join(folder, 'log-keys'));
  const [first] = readLogKeySalts(readEnv());
  addLogKey();
  const salts = readLogKeySalts(readEnv());
  expect([salts.length, salts[0]]).toEqual([2, first]);
  expect(statSync(join(folder, 'log-keys')).mode & 0o777).toBe(0o600);
  const [before, now] = [createLogSigner('secret', 'log.test', [first ?? '']), createLogSigner('secret', 'log.test', salts)];
  expect(now.older.map(({ publicKey }) => publicKey)).toEqual([createLogSigner('secret', 'log.test').publicKey, before.publicKey]);
  expect(now.successions).toHaveLength(2);
});

test('where the settings name the keys they are given to be set, and nothing is written', () => {
  addLogKey();
  const [salt = ''] = readLogKeySalts(readEnv());
  vi.stubEnv('QUORATE_LOG_KEYS', salt);
  const { file, setting } = addLogKey();
  expect([file, setting.split(',')[0], setting.split(',').length]).toEqual([null, salt, 2]);
  expect(readLogKeySalts({ ...readEnv(), logKeys: null })).toEqual([salt]);
});

test('what the command did not write is refused', () => {
  writeFileSync(join(folder, 'log-keys'), 'short\n');
  expect(() => readLogKeySalts(readEnv())).toThrow('does not hold what npm run rotate-log-key wrote');
  const salt = 'a'.repeat(43);
  expect(() => readLogKeySalts({ dataDir: folder, logKeys: [salt, salt] })).toThrow('QUORATE_LOG_KEYS');
});
