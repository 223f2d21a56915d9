import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { ControlKind } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import { changeName } from '#app/engine/control/change-name.ts';

/** How many wait for this member's agreement, at most `limit`. Asked with every page of the app area. */
export async function countWaitingChanges(db: Db, member: { userId: string; roles: readonly Role[] }, limit: number): Promise<number> {
  if (!can(member.roles, 'agreeToChange')) return 0;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from quorate.control_changes c where ${waits(member.userId)} limit ${limit}) open`.execute(db);
  return rows[0]?.count ?? 0;
}

const waits = (userId: string) => sql`c.workspace_id = quorate.current_workspace_id() and c.status in ('pending', 'emergency')
  and c.requested_by <> ${userId}::uuid and quorate.my_control_refusal(c.id) is null`;

export type WaitingChange = { id: string; kind: ControlKind; name: string; requestedBy: string; createdAt: string };

/**
 * Control changes that wait for this member's agreement, the oldest first, at most `limit`: nobody agrees to what they asked for, nor
 * to roles that they would gain. Names are empty for whoever has left; `createdAt` is ISO 8601.
 */
export async function readWaitingChanges(
  db: Db,
  member: { userId: string; roles: readonly Role[] },
  limit: number,
): Promise<WaitingChange[]> {
  if (!can(member.roles, 'agreeToChange')) return [];
  const { rows } = await sql<{ id: string; kind: ControlKind; name: string; asker: string | null; created_at: Date }>`
    select c.id, c.kind, ${changeName} as name, a.name as asker, c.created_at
    from quorate.control_changes c
    left join quorate.members a on a.workspace_id = c.workspace_id and a.user_id = c.requested_by
    where ${waits(member.userId)}
    order by c.created_at, c.id limit ${limit}`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    requestedBy: row.asker ?? '',
    createdAt: row.created_at.toISOString(),
  }));
}
