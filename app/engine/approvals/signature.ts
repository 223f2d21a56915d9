import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { ASKED_MEANINGS, type SignatureMethod } from '#app/contracts/statuses.ts';
import { isTimeZone } from '#app/domain/workflows/time-zone.ts';

/** The statement of a person as they vote, of their own words. */
export const statedSchema = {
  meaning: z.enum(ASKED_MEANINGS).optional(),
  zone: z.string().refine(isTimeZone).optional(),
};

/**
 * A vote as the signature that its event holds (21 CFR 11.50, 11.70): what it means, when, in whose zone, how the person proved that it is
 * them, and the digest of what they signed. Their printed name is the actor of the event, which is erased like any other.
 * @throws Error where this person has no vote there
 */
export async function readSignature(db: Db, on: 'approval' | 'change', id: string, userId: string): Promise<{ [key: string]: Json }> {
  const columns = ['meaning', 'method', 'zone', 'voted_at'] as const;
  const row =
    on === 'approval'
      ? await db
          .selectFrom('quorate.approval_votes')
          .select([...columns, 'action_digest as digest'])
          .where('approval_id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
      : await db
          .selectFrom('quorate.control_votes')
          .select([...columns, 'digest'])
          .where('change_id', '=', id)
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow();
  const { meaning, method, zone, digest, voted_at } = row;
  return { meaning, method, amr: amrOf(method), zone, digest, at: voted_at.toISOString() };
}

/** The methods of a proof in the words of RFC 8176. A passkey proves a key (`pop`) and has verified who holds it. */
const AMR = {
  session: [],
  password: ['pwd'],
  password_and_factor: ['pwd', 'otp', 'mfa'],
  passkey: ['pop', 'user', 'mfa'],
} as const satisfies Record<SignatureMethod, readonly string[]>;
export const amrOf = (method: SignatureMethod): string[] => [...AMR[method]];

/** Where the log holds a signature: its entry, its place (from 0; null: not placed yet), and the size of the first checkpoint over it. */
export type SignaturePlace = { event: string; user: string | null; place: number | null; checkpoint: number | null };

/** The entries that hold signatures on an approval or a control change that the member may see, oldest first. */
export async function readSignaturePlaces(db: Db, subject: string): Promise<SignaturePlace[]> {
  const { rows } = await sql<{ event_id: string; user_id: string | null; leaf_index: number | null; checkpoint: number | null }>`
    select event_id, user_id, leaf_index, checkpoint from quorate.list_signatures(${subject})`.execute(db);
  return rows.map((row) => ({ event: row.event_id, user: row.user_id, place: row.leaf_index, checkpoint: row.checkpoint }));
}
