import type { Db } from '#app/contracts/db.ts';
import type { PackRecord } from '#app/domain/audit/pack-records.ts';

/** One read as a member, in a transaction of its own. */
export type Read = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Some records of a population, and where the next ones begin; null: these were the last. */
export type Batch<Cursor> = { records: PackRecord[]; next: Cursor | null };
