import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** Whether the directory of some workspace expects this address. For the code that answers alike whether it does or not. */
export async function isExpected(db: Db, email: string): Promise<boolean> {
  const { rows } = await sql<{ expected: boolean }>`select quorate.is_expected(${email}) as expected`.execute(db);
  return rows[0]?.expected === true;
}

/** Whether any workspace has a directory that expects somebody. */
export async function expectsSomebody(db: Db): Promise<boolean> {
  const { rows } = await sql<{ expected: boolean }>`select quorate.expects_somebody() as expected`.execute(db);
  return rows[0]?.expected === true;
}
