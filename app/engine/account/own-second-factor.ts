import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/**
 * `enrolled`: there is a factor at all. `recovered`: this session came in by a recovery code, so that all factors are taken for lost.
 * `codesLeft`: recovery codes that work. `app`: an authenticator app is set up.
 */
export type SecondFactor = { enrolled: boolean; recovered: boolean; codesLeft: number; app: boolean; passkeys: number };

/** Of the person of this transaction. Throws for anyone who is none. */
export async function ownSecondFactor(db: Db, sessionId: string): Promise<SecondFactor> {
  const { rows } = await sql<{ enrolled: boolean; recovered: boolean; codes_left: number; app: boolean; passkeys: number }>`
    select enrolled, recovered, codes_left, app, passkeys from quorate.own_second_factor(${sessionId}::uuid)`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the second factor of a person could not be read');
  return { enrolled: row.enrolled, recovered: row.recovered, codesLeft: row.codes_left, app: row.app, passkeys: row.passkeys };
}
