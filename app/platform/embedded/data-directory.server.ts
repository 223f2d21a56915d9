import { hkdfSync, randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REASONS: Record<string, string> = {
  EROFS: 'it stands on a read-only file system',
  EACCES: 'this account may not write to it',
  EPERM: 'this account may not write to it',
  ENOTDIR: 'a part of its path is no directory',
};

/** One line that says why a directory cannot be used. Node calls a folder that cannot be made on a read-only file system missing (ENOENT). */
function unwritable(directory: string, error: unknown): Error {
  let code = error instanceof Error && 'code' in error ? String(error.code) : '';
  let above = directory;
  while (code === 'ENOENT' && above !== dirname(above)) {
    above = dirname(above);
    try {
      accessSync(above, constants.W_OK | constants.X_OK);
      break;
    } catch (reason) {
      code = reason instanceof Error && 'code' in reason ? String(reason.code) : '';
    }
  }
  return new Error(
    `The data directory ${directory} cannot be written: ${REASONS[code] ?? code}. Make it writable, or set QUORATE_DATA_DIR to another one.`,
    { cause: error },
  );
}

/**
 * Makes the instance's directory. Throws with one line where it cannot be made or written. Root's is passable (0711), so that the
 * database's account reaches its own part of it; everyone else's is private. An existing directory keeps its mode.
 */
export function ensureDataDirectory(directory: string): void {
  try {
    if (!existsSync(directory)) {
      mkdirSync(directory, { recursive: true });
      chmodSync(directory, process.getuid?.() === 0 ? 0o711 : 0o700);
    }
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unwritable(directory, error);
  }
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

const SECRET_KEY_FILE = 'secret-key';
const FINGERPRINT_FILE = 'secret-key.fingerprint';

const fingerprintOf = (secretKey: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'quorate fingerprint of the key', 16)).toString('hex');

/**
 * The secret that everything of this instance is derived from: the one set, or the one that its first start made. Another
 * one than before would leave credentials sealed and the log's signatures unverifiable: that is refused.
 */
export function instanceSecret(directory: string, set: string | null): string {
  const fingerprint = join(directory, FINGERPRINT_FILE);
  const kept = join(directory, SECRET_KEY_FILE);
  const known = existsSync(fingerprint) ? readFileSync(fingerprint, 'utf8').trim() : null;
  if (set === null && known !== null && !existsSync(kept))
    throw new Error(`The data in ${directory} was made with a QUORATE_SECRET_KEY: set the same one again.`);
  const secretKey = set ?? keptSecret(directory, SECRET_KEY_FILE);
  if (known !== null && known !== fingerprintOf(secretKey))
    throw new Error(
      `QUORATE_SECRET_KEY is not the key that the data in ${directory} was made with${existsSync(kept) ? `, which stands in ${kept}: unset it, or set it to that file's content` : ': set that one again'}.`,
    );
  if (known === null) writeFileSync(fingerprint, `${fingerprintOf(secretKey)}\n`, { mode: 0o600 });
  return secretKey;
}

/** The same for a process that joins a running server: it creates no key. */
export function joinedInstanceSecret(directory: string, set: string | null): string {
  if (set !== null) return set;
  const kept = join(directory, SECRET_KEY_FILE);
  if (!existsSync(kept))
    throw new Error('The server of this directory runs with a QUORATE_SECRET_KEY of its own: set the same one for this process.');
  return readFileSync(kept, 'utf8').trim();
}
