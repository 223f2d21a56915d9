import type { RouterContextProvider } from 'react-router';
import { avatarPath } from '#app/components/data/avatar-path.ts';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import type { Role } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';

export type MemberRow = { userId: string; name: string; email: string; roles: Role[]; since: string; picture: string | null };
export type InvitationState = 'open' | 'accepted' | 'declined' | 'withdrawn' | 'expired';
export type InvitationRow = { id: string; email: string; roles: Role[]; sentAt: string; expiresAt: string; state: InvitationState };

const SHOWN_INVITATIONS = 100;
const MEMBER_PAGE_SIZE = 100;

/** Everyone in the workspace by name, a page at a time, and for admins the newest invitations. */
export async function loadMembers({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const { now } = context.get(servicesContext);
  const manages = can(member.roles, 'manageMembers');
  const { members, invitations, waiting } = await read(async (db) => ({
    members: await db
      .selectFrom('quorate.members as m')
      .leftJoin('quorate.avatars as a', 'a.user_id', 'm.user_id')
      .select(['m.user_id', 'm.name', 'm.email', 'm.roles', 'm.created_at', 'a.digest'])
      .where('m.workspace_id', '=', member.workspace.id)
      .orderBy('m.name')
      .orderBy('m.user_id')
      .execute(),
    invitations: manages
      ? await db
          .selectFrom('quorate.invitations')
          .select(['id', 'email', 'roles', 'created_at', 'expires_at', 'accepted_at', 'declined_at', 'withdrawn_at'])
          .orderBy('created_at', 'desc')
          .limit(SHOWN_INVITATIONS)
          .execute()
      : [],
    waiting: can(member.roles, 'readChanges') ? await countWaiting(db) : 0,
  }));
  const rows: MemberRow[] = members.map((row) => ({
    userId: row.user_id,
    name: row.name,
    email: row.email,
    roles: row.roles,
    since: row.created_at.toISOString(),
    picture: avatarPath(row.user_id, row.digest),
  }));
  const pageCount = Math.max(1, Math.ceil(rows.length / MEMBER_PAGE_SIZE));
  const page = Math.max(1, Math.min(pageCount, Math.trunc(Number(url.searchParams.get('page') ?? '1')) || 1));
  return {
    /** Changes of members that another person has not agreed to yet, for who may read them. */
    waiting,
    workspace: shownWorkspaceName(context),
    me: member.userId,
    manages,
    hasApprover: rows.some((row) => row.roles.includes('approver')),
    members: rows.slice((page - 1) * MEMBER_PAGE_SIZE, page * MEMBER_PAGE_SIZE),
    page,
    pageCount,
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

async function countWaiting(db: Db): Promise<number> {
  const row = await db
    .selectFrom('quorate.control_changes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', 'pending')
    .where('kind', 'in', ['member_roles', 'member_remove'])
    .executeTakeFirst();
  return row?.count ?? 0;
}
export type MembersView = Awaited<ReturnType<typeof loadMembers>>;
