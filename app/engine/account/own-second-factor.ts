import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** `recovered`: this session came in by a recovery code, so the authenticator is taken for lost. `codesLeft`: recovery codes that work. */
export type SecondFactor = { enrolled: boolean; recovered: boolean; codesLeft: number };

/** Of the person of this transaction. Throws for anyone who is none. */
export async function ownSecondFactor(db: Db, sessionId: string): Promise<SecondFactor> {
  const { rows } = await sql<{ enrolled: boolean; recovered: boolean; codes_left: number }>`
    select enrolled, recovered, codes_left from quorate.own_second_factor(${sessionId}::uuid)`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the second factor of a person could not be read');
  return { enrolled: row.enrolled, recovered: row.recovered, codesLeft: row.codes_left };
}
