import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { FileStore, Log } from '#app/contracts/ports.ts';
import { repeat } from '#app/engine/jobs/repeat.ts';

const SWEEP_MS = 300_000;
const FIRST_MS = 20_000;
const SWEEP_SIZE = 100;

export type FileRemovalDeps = { asApp<T>(work: (db: Db) => Promise<T>): Promise<T>; files: FileStore; log: Log };

/**
 * Removes contents whose row is gone from the file store, and uploads that no run has taken for a day. Any number of processes may do so at once;
 * a content that is gone already is ignored. Returns how many it removed.
 */
export async function removeFiles({ asApp, files }: FileRemovalDeps): Promise<number> {
  const { rows } = await asApp((db) => sql<{ stored_name: string }>`select * from quorate.list_file_removals(${SWEEP_SIZE})`.execute(db));
  const names = rows.map((row) => row.stored_name);
  if (names.length === 0) return 0;
  await files.remove(names);
  await asApp((db) => sql`select quorate.forget_file_removals(${names}::text[])`.execute(db));
  return names.length;
}

/** Removes now and then until it is stopped; what fails is logged and tried again. */
export function startFileRemoval(deps: FileRemovalDeps): { stop(): Promise<void> } {
  return repeat({
    firstMs: FIRST_MS,
    work: async () => ((await removeFiles(deps)) === SWEEP_SIZE ? 0 : SWEEP_MS),
    failed(error) {
      deps.log.error('files could not be removed', { error });
      return SWEEP_MS;
    },
  });
}
