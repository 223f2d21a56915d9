import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** A call that was refused. `path`: without what stands behind a question mark, since a filter may name a person. */
export type RefusedCall = { id: string; method: string; path: string; status: number; detail: string };

/** Keeps a refused call of the directory of this transaction for the workspace's admins: the newest fifty stay. No event of the log. */
export async function keepRefusal(db: Db, { id, method, path, status, detail }: RefusedCall): Promise<void> {
  await sql`select quorate.note_directory_refusal(${id}::uuid, ${method}, ${path}, ${status}, ${detail})`.execute(db);
}
