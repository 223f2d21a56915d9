import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';

export type OwnPasskey = {
  id: string;
  credential: Uint8Array;
  transports: string[];
  name: string;
  backedUp: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
  /** When its counter last went back. */
  doubtedAt: Date | null;
};

/** The passkeys of who is signed in by this session, oldest first. AppError `unauthenticated`: it is over. */
export async function ownPasskeys(db: Db, { id, sessionId }: { id: string; sessionId: string }): Promise<OwnPasskey[]> {
  const { rows } = await sql<{
    id: string;
    credential_id: Uint8Array;
    transports: string[];
    name: string;
    backed_up: boolean;
    created_at: Date;
    last_used_at: Date | null;
    doubted_at: Date | null;
  }>`select * from quorate.list_passkeys(${id}::uuid, ${sessionId}::uuid)`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    credential: row.credential_id,
    transports: row.transports,
    name: row.name,
    backedUp: row.backed_up,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    doubtedAt: row.doubted_at,
  }));
}

export type FoundPasskey = { id: string; userId: string; email: string; credential: Uint8Array; key: Uint8Array };

/** Whose credential this is; null: nobody's. */
export async function findPasskey(db: Db, credential: Uint8Array): Promise<FoundPasskey | null> {
  const { rows } = await sql<{ id: string; user_id: string; email: string; public_key: Uint8Array }>`
    select id, user_id, email, public_key from quorate.find_passkey(${credential})`.execute(db);
  const [row] = rows;
  return row === undefined ? null : { id: row.id, userId: row.user_id, email: row.email, credential, key: row.public_key };
}

/** The sealed secret of this person's authenticator app; null: none of ours is set up. */
export async function readAuthenticator(db: Db, userId: string): Promise<Uint8Array | null> {
  const { rows } = await sql<{ sealed_secret: Uint8Array }>`
    select sealed_secret from quorate.read_authenticator(${userId}::uuid)`.execute(db);
  return rows[0]?.sealed_secret ?? null;
}

/** Whether the factors of the account service may go: there are passkeys beside them, or no workspace of theirs asks for a factor. */
export async function mayLoseFactor(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select quorate.may_lose_their_factors(${userId}::uuid) as may`.execute(db);
  return rows[0]?.may === true;
}
