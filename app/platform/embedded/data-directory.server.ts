import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Makes the instance's directory. Root's is passable (0711), so that the database's account reaches its own part of it;
 * everybody else's is private. An existing directory keeps its mode.
 */
export function ensureDataDirectory(directory: string): void {
  if (existsSync(directory)) return;
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
}

/**
 * A secret of the instance, made at its first use and kept in a file (0600). Written whole and then linked to its name,
 * so that a kill leaves no half and of two makers one wins.
 */
export function keptSecret(directory: string, name: string): string {
  const file = join(directory, name);
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  return readFileSync(file, 'utf8').trim();
}
