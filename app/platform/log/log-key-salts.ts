import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Env, EnvError, readEnv } from '#app/platform/env.server.ts';

/** The salts from which, with the secret, the keys after the first are made: a line each, the newest last, for the owner alone. */
const FILE = 'log-keys';
const BYTES = 32;
const SALT = /^[A-Za-z0-9_-]{43}$/;

/** From the settings, the same in every process, or from the data directory that processes of one machine share. @throws EnvError */
export function readLogKeySalts({ logKeys, dataDir }: Pick<Env, 'logKeys' | 'dataDir'>): readonly string[] {
  const salts = logKeys ?? readText(join(dataDir, FILE)).split('\n').filter(Boolean);
  if (salts.some((salt) => !SALT.test(salt)) || new Set(salts).size < salts.length)
    throw new EnvError(
      `${logKeys === null ? `The file ${join(dataDir, FILE)}` : 'QUORATE_LOG_KEYS'} does not hold what npm run rotate-log-key wrote.`,
    );
  return salts;
}

/** One more key, from the next start on. `file` null: the settings name the keys, and `setting` is what they have to be. */
export function addLogKey(): { file: string | null; setting: string } {
  const { dataDir, logKeys, backend } = readEnv();
  const salts = [...readLogKeySalts({ logKeys, dataDir }), randomBytes(BYTES).toString('base64url')];
  const setting = salts.join(',');
  if (logKeys !== null || backend.mode !== 'embedded') return { file: null, setting };
  const file = join(dataDir, FILE);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.next`, `${salts.join('\n')}\n`, { mode: 0o600, flush: true });
  renameSync(`${file}.next`, file);
  return { file, setting };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}
