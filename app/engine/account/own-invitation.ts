import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** The newest open invitation to a signed-in person's confirmed address, or the one with this id, open or not; null where there is none. */
export async function ownInvitation(
  db: Db,
  user: { id: string; sessionId: string },
  id: string | null,
): Promise<{ id: string; hash: Uint8Array } | null> {
  const found = await sql<{ id: string; token_hash: Uint8Array }>`
    select * from quorate.own_invitation(${user.id}::uuid, ${user.sessionId}::uuid, ${id}::uuid)`.execute(db);
  const [row] = found.rows;
  return row === undefined ? null : { id: row.id, hash: row.token_hash };
}
