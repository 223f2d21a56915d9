import type { RouterContextProvider } from 'react-router';
import { avatarPath } from '#app/components/avatar-path.ts';
import { may } from '#app/domain/roles.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { countUnread } from '#app/engine/notifications/count-unread.ts';
import { loadHealthOrNull } from '#app/features/shell/load-health.server.ts';
import { sidebarCollapsed } from '#app/features/shell/preferences.server.ts';
import { memberContext, membershipsContext } from '#app/request-context.ts';

/** What stands around every screen of the app area. */
export async function loadShell(context: Readonly<RouterContextProvider>, request: Request) {
  const { member, read } = context.get(memberContext);
  const counted = read(async (db) => ({
    counts: { approvals: await countPendingApprovals(db, member), unread: await countUnread(db, member) },
    avatar: await db.selectFrom('quorate.avatars').select('digest').where('user_id', '=', member.userId).executeTakeFirst(),
  }));
  const [{ counts, avatar }, health] = await Promise.all([counted, loadHealthOrNull(context)]);
  return {
    member: { name: member.name, email: member.email, roles: [...member.roles], picture: avatarPath(member.userId, avatar?.digest) },
    workspace: { id: member.workspace.id, name: member.workspace.name, halted: member.workspace.haltedAt !== null },
    workspaces: context.get(membershipsContext).map(({ workspace }) => ({ id: workspace.id, name: workspace.name })),
    decides: may(member.roles, 'decideApproval'),
    counts,
    health,
    collapsed: sidebarCollapsed(request),
  };
}
