import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** At most `max` in `windowSeconds`, counted in the database, so that the count holds across processes. */
export type Limit = { name: string; max: number; windowSeconds: number };

/** Counts one hit of `subject`. Answers 0 when it is allowed, else the seconds to wait. Needs a transaction as nobody (`asNobody`). */
export async function takeLimit(db: Db, limit: Limit, subject: string): Promise<number> {
  const answer = await sql<{ wait: number }>`
    select quorate.take_limit(${limitKey(limit, subject)}, ${limit.max}, ${limit.windowSeconds}) as wait`.execute(db);
  return answer.rows[0]?.wait ?? limit.windowSeconds;
}

/** Takes a hit back that turned out to be right, so that only wrong ones add up. */
export async function giveBackLimit(db: Db, limit: Limit, subject: string): Promise<void> {
  await sql`select quorate.give_back_limit(${limitKey(limit, subject)})`.execute(db);
}

/** Addresses of people are never in the table of limits: keys hold a digest. */
function limitKey(limit: Limit, subject: string): string {
  return `${limit.name}:${createHash('sha256').update(subject.toLowerCase()).digest('base64url')}`;
}
