import { sql } from 'kysely';
import type { Db } from '#app/engine/db.ts';

/** Stores the address once, in small letters. Needs a transaction as nobody. */
export async function subscribe(db: Db, { email, language, sharingRefused }: { email: string; language: string; sharingRefused: boolean }) {
  await sql`select quorate.subscribe_newsletter(${email}, ${language}, ${sharingRefused})`.execute(db);
}
