/** One server per data directory, by a lock that the operating system lets go of when the process dies. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type DirectoryLock = { release(): void };

/** Someone else serves this directory. The message says who. */
export class DirectoryInUseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DirectoryInUseError';
  }
}

/**
 * Takes the directory's lock, or throws DirectoryInUseError with the holder's process id and since when.
 * The lock file may not be opened otherwise by this process: closing any descriptor of it would drop the lock (POSIX).
 */
export function lockDirectory(directory: string): DirectoryLock {
  const holderFile = join(directory, 'server.json');
  const database = new DatabaseSync(join(directory, 'server.lock'), { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (!(error instanceof Error && /locked|busy/i.test(error.message))) throw error;
    throw new DirectoryInUseError(
      `${directory} is in use: ${describeHolder(holderFile)}. Stop that server first, or set QUORATE_DATA_DIR to another directory.`,
    );
  }
  writeFileSync(holderFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), { mode: 0o600 });
  return {
    release() {
      if (database.isOpen) database.close();
    },
  };
}

function describeHolder(file: string): string {
  try {
    const holder: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof holder === 'object' && holder !== null && 'pid' in holder && 'since' in holder)
      return `process ${holder.pid} has served it since ${holder.since}`;
  } catch {
    // being written this moment: the lock itself has already answered
  }
  return 'another process serves it';
}
