import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvError, readEnv } from '#app/platform/env.server.ts';

/** The public key that the server of this machine's data directory wrote (`log-key.pub`); null where there is none. */
export async function readLogKey(): Promise<{ key: string; file: string } | null> {
  try {
    const file = join(readEnv().dataDir, 'log-key.pub');
    return { key: (await readFile(file, 'utf8')).trim(), file };
  } catch (error) {
    // Settings that a server would refuse must not stop a verification: the key can be given by hand.
    if (error instanceof EnvError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null;
    throw error;
  }
}
