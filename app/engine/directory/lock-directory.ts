import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** Before anything else of a change of what is there: changes of one directory come one after the other. Adding a person waits for nobody. */
export async function lockDirectory(db: Db): Promise<void> {
  await sql`select quorate.lock_directory()`.execute(db);
}
