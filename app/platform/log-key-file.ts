import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvError, readEnv } from '#app/platform/env.server.ts';

/** The public key of the instance's log, for whoever verifies on this machine: one line, `name+id+base64`. */
const LOG_KEY_FILE = 'log-key.pub';

export async function writeLogKey(dataDir: string, key: string): Promise<void> {
  const next = join(dataDir, `${LOG_KEY_FILE}.${process.pid}`);
  await writeFile(next, `${key}\n`, { mode: 0o644 });
  await rename(next, join(dataDir, LOG_KEY_FILE));
}

/** The key that the instance of this machine's data directory wrote; null where there is none, or the settings say nowhere. */
export async function readLogKey(): Promise<{ key: string; file: string } | null> {
  try {
    const file = join(readEnv().dataDir, LOG_KEY_FILE);
    return { key: (await readFile(file, 'utf8')).trim(), file };
  } catch (error) {
    if (error instanceof EnvError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null;
    throw error;
  }
}
