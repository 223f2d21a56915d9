import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

/** A company's provider that signs one in. `key` names it. `required`: its workspace takes no other sign-in of one's own. */
export type OwnIdentity = { key: string; workspace: string; provider: string; createdAt: Date; required: boolean };

/** Of the person of this transaction, the first linked first. */
export async function ownIdentities(db: Db): Promise<OwnIdentity[]> {
  const { rows } = await sql<{ key: string; workspace: string; provider: string; created_at: Date; required: boolean }>`
    select key, workspace, provider, created_at, required from quorate.list_own_identities()`.execute(db);
  return rows.map(({ created_at: createdAt, ...row }) => ({ ...row, createdAt }));
}
