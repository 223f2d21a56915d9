import type { RouterContextProvider } from 'react-router';
import { may, type Role } from '#app/domain/roles.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

export type MemberRow = { userId: string; name: string; email: string; roles: Role[]; since: string };
export type InvitationState = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired';
export type InvitationRow = { id: string; email: string; roles: Role[]; sentAt: string; expiresAt: string; state: InvitationState };

const SHOWN_INVITATIONS = 100;

/** Everybody in the workspace, and for admins the newest invitations. */
export async function loadMembers(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const manages = may(member.roles, 'manageMembers');
  const { members, invitations } = await read(async (db) => ({
    members: await db
      .selectFrom('quorate.members')
      .select(['user_id', 'name', 'email', 'roles', 'created_at'])
      .where('workspace_id', '=', member.workspace.id)
      .orderBy('name')
      .orderBy('user_id')
      .execute(),
    invitations: manages
      ? await db
          .selectFrom('quorate.invitations')
          .select(['id', 'email', 'roles', 'created_at', 'expires_at', 'accepted_at', 'declined_at', 'withdrawn_at'])
          .orderBy('created_at', 'desc')
          .limit(SHOWN_INVITATIONS)
          .execute()
      : [],
  }));
  const rows: MemberRow[] = members.map((row) => ({
    userId: row.user_id,
    name: row.name,
    email: row.email,
    roles: row.roles,
    since: row.created_at.toISOString(),
  }));
  return {
    workspace: member.workspace.name,
    me: member.userId,
    manages,
    hasApprover: rows.some((row) => row.roles.includes('approver')),
    members: rows,
    invitations: invitations.map((row): InvitationRow => {
      const state: InvitationState =
        row.withdrawn_at !== null
          ? 'withdrawn'
          : row.accepted_at !== null
            ? 'accepted'
            : row.declined_at !== null
              ? 'declined'
              : row.expires_at <= now()
                ? 'expired'
                : 'open';
      return {
        id: row.id,
        email: row.email,
        roles: row.roles,
        sentAt: row.created_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        state,
      };
    }),
  };
}
export type MembersView = Awaited<ReturnType<typeof loadMembers>>;
