import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { InvitationState } from '#app/domain/people/invitation.ts';
import { takeLimit } from '#app/engine/limits/take-limit.ts';

const PEEK_LIMIT = { name: 'invitationPeek', max: 200, windowSeconds: 900 };

export type Peeked = { id: string; workspace: string; email: string; roles: Role[]; state: InvitationState; memberUntil: Date | null };

type Row = { id: string; workspace_name: string; email: string; roles: Role[]; state: InvitationState; member_until: Date | null };

/**
 * The invitation of this hash as its holder may see it, signed in or not; null for one that is unknown. Looks are counted by `address`;
 * `wait`: seconds until the next one is answered, 0 when this one was.
 */
export async function peekInvitation(db: Db, hash: Uint8Array | null, address: string): Promise<{ wait: number; found: Peeked | null }> {
  const wait = await takeLimit(db, PEEK_LIMIT, address);
  if (wait > 0 || hash === null) return { wait, found: null };
  const { rows } = await sql<Row>`select * from quorate.peek_invitation(${hash})`.execute(db);
  const [row] = rows;
  if (row === undefined) return { wait, found: null };
  const { id, workspace_name: workspace, email, roles, state, member_until: memberUntil } = row;
  return { wait, found: { id, workspace, email, roles, state, memberUntil } };
}
