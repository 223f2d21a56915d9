import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { can } from '#app/domain/people/roles.ts';

export type WaitingRoles = { id: string; name: string; requestedBy: string; createdAt: string };

/**
 * Changes of roles that wait for this member's agreement, the oldest first, at most `limit`: nobody agrees to what they asked for, nor to
 * their own roles. Names are empty for whoever has left; `createdAt` is ISO 8601.
 */
export async function readWaitingRoles(db: Db, member: { userId: string; roles: readonly Role[] }, limit: number): Promise<WaitingRoles[]> {
  if (!can(member.roles, 'agreeToRoles')) return [];
  const { rows } = await sql<{ id: string; name: string; asker: string | null; created_at: Date }>`
    select q.id, m.name, a.name as asker, q.created_at
    from quorate.role_requests q
    join quorate.members m on m.workspace_id = q.workspace_id and m.user_id = q.user_id
    left join quorate.members a on a.workspace_id = q.workspace_id and a.user_id = q.requested_by
    where q.workspace_id = quorate.current_workspace_id() and q.outcome is null
      and ${member.userId}::uuid not in (q.requested_by, q.user_id)
    order by q.created_at, q.id limit ${limit}`.execute(db);
  return rows.map((row) => ({ id: row.id, name: row.name, requestedBy: row.asker ?? '', createdAt: row.created_at.toISOString() }));
}
