import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';

/**
 * Whether these roles differ from those that a member has in one that groups of the company's directory give, so that the directory decides
 * and no admin does. Null: whether there is any such role.
 */
export async function directoryDecides(db: Db, userId: string, roles: readonly Role[] | null): Promise<boolean> {
  const { rows } = await sql<{ decides: boolean }>`select quorate.directory_decides(${userId}::uuid, ${roles}::text[]) as decides`.execute(
    db,
  );
  return rows[0]?.decides === true;
}
