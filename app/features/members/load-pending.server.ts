import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import type { Member } from '#app/contracts/principals.ts';
import type { InvitationState } from '#app/domain/people/invitation.ts';
import { can } from '#app/domain/people/roles.ts';

export type InvitationRow = {
  id: string;
  email: string;
  roles: Role[];
  sentAt: string;
  expiresAt: string;
  until: string | null;
  state: InvitationState;
};

const SHOWN_INVITATIONS = 100;

/** For admins the newest invitations, for who may read them the changes of members that wait for another person, and whether anyone approves. */
export async function loadPending(db: Db, member: Member, manages: boolean, now: Date) {
  const approver = await db
    .selectFrom('quorate.members')
    .select('user_id')
    .where('workspace_id', '=', member.workspace.id)
    .where(sql<boolean>`'approver' = any (roles)`)
    .limit(1)
    .executeTakeFirst();
  return {
    hasApprover: approver !== undefined,
    invitations: manages ? await loadInvitations(db, now) : [],
    waiting: can(member.roles, 'readChanges') ? await countWaiting(db) : 0,
  };
}

async function countWaiting(db: Db): Promise<number> {
  const row = await db
    .selectFrom('quorate.control_changes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .where('kind', 'in', ['member_roles', 'member_remove'])
    .executeTakeFirst();
  return row?.count ?? 0;
}

async function loadInvitations(db: Db, now: Date): Promise<InvitationRow[]> {
  const rows = await db
    .selectFrom('quorate.invitations')
    .select(['id', 'email', 'roles', 'created_at', 'expires_at', 'accepted_at', 'declined_at', 'withdrawn_at', 'member_until'])
    // those of a directory stand on its own page
    .where('directory_person_id', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(SHOWN_INVITATIONS)
    .execute();
  return rows.map((row) => {
    const state: InvitationState =
      row.withdrawn_at !== null
        ? 'withdrawn'
        : row.accepted_at !== null
          ? 'accepted'
          : row.declined_at !== null
            ? 'declined'
            : row.expires_at <= now
              ? 'expired'
              : 'open';
    return {
      id: row.id,
      email: row.email,
      roles: row.roles,
      sentAt: row.created_at.toISOString(),
      expiresAt: row.expires_at.toISOString(),
      until: row.member_until?.toISOString() ?? null,
      state,
    };
  });
}
