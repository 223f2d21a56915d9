import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKey } from '#app/platform/crypto.server.ts';
import type { Env } from '#app/platform/env.server.ts';

/** The name is part of every checkpoint; the key is pinned for offline verification. */
const NAME_FILE = 'log-name';
const KEY_FILE = 'log-key.pub';

/**
 * Name of the instance's log. Kept beside the data: a changed name would be another log to everyone who pinned this one,
 * and an address may change. Hosted, several machines share one log and no folder: what they all have is the secret key.
 */
export async function keepLogName(env: Env, secretKey: string): Promise<string> {
  if (env.backend.mode !== 'embedded') return `quorate-${deriveKey(secretKey, 'log-name/v1', 6).toString('hex')}`;
  const fresh = new URL(env.origin).host;
  const kept = (await readFile(join(env.dataDir, NAME_FILE), 'utf8').catch(() => '')).trim();
  if (kept !== '') return kept;
  await replaceFile(env.dataDir, NAME_FILE, `${fresh}\n`);
  return fresh;
}

/** Puts the public key where people and `npm run verify` find it. */
export async function keepPublicKey(env: Env, vkey: string): Promise<void> {
  await replaceFile(env.dataDir, KEY_FILE, `${vkey}\n`);
}

/** Whole or not at all, whenever the process is killed. */
async function replaceFile(directory: string, name: string, text: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const next = join(directory, `${name}.${process.pid}`);
  await writeFile(next, text, { flush: true });
  await rename(next, join(directory, name));
}
