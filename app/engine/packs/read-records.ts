import type { Db } from '#app/contracts/db.ts';
import type { PackRecord } from '#app/domain/audit/pack-records.ts';
import type { Batch, Read } from '#app/engine/packs/batch.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import { readDecisions } from '#app/engine/packs/read-decisions.ts';
import { readEntries } from '#app/engine/packs/read-entries.ts';

/** Records of one batch: some 200 KB. Of larger ones the process keeps more memory, and gains no second. */
const BATCH = 500;

/**
 * The population of a pack in batches: the entries of the log by time, then the decisions by time. Each batch is a transaction of its own,
 * so that none stays open for as long as somebody takes to download; the bounds of the scope keep them to one state of the log.
 */
export async function* readRecords(read: Read, scope: PackScope): AsyncGenerator<PackRecord[]> {
  yield* batches(read, (db, after: Parameters<typeof readEntries>[2]) => readEntries(db, scope, after, BATCH));
  yield* batches(read, (db, after: Parameters<typeof readDecisions>[2]) => readDecisions(db, scope, after, BATCH));
}

async function* batches<Cursor>(
  read: Read,
  readBatch: (db: Db, after: Cursor | null) => Promise<Batch<Cursor>>,
): AsyncGenerator<PackRecord[]> {
  let after: Cursor | null = null;
  do {
    const from: Cursor | null = after;
    const batch: Batch<Cursor> = await read((db) => readBatch(db, from));
    if (batch.records.length > 0) yield batch.records;
    after = batch.next;
  } while (after !== null);
}
