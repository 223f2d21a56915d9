import type { RouterContextProvider } from 'react-router';
import { avatarPath } from '#app/components/data/avatar-path.ts';
import { sayShipped, shownTexts, shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, membershipsContext, servicesContext } from '#app/contracts/request-context.ts';
import { mayFound } from '#app/domain/people/registration.ts';
import { can } from '#app/domain/people/roles.ts';
import { countWaiting } from '#app/engine/approvals/count-pending-approvals.ts';
import { loadHealthOrNull } from '#app/features/shell/load-health.server.ts';
import { sidebarCollapsed } from '#app/features/shell/preferences.server.ts';

/** The frame around every screen of the app area. */
export async function loadShell(context: Readonly<RouterContextProvider>, request: Request) {
  const { member, read } = context.get(memberContext);
  const memberships = context.get(membershipsContext);
  const mine = memberships.find(({ workspace }) => workspace.id === member.workspace.id);
  const say = sayShipped(context);
  const decides = can(member.roles, 'decideApproval');
  const [approvals, health] = await Promise.all([read((db) => countWaiting(db, member)), loadHealthOrNull(context)]);
  return {
    member: { name: member.name, email: member.email, roles: [...member.roles], picture: avatarPath(member.userId, mine?.picture) },
    workspace: { id: member.workspace.id, name: shownWorkspaceName(context), halted: member.workspace.haltedAt !== null },
    workspaces: memberships.map(({ workspace }) => ({ id: workspace.id, name: workspace.isDemo ? say(workspace.name) : workspace.name })),
    founds: mayFound(context.get(servicesContext).founders, memberships),
    texts: shownTexts(context),
    decides,
    counts: { approvals, unread: mine?.unread ?? 0, at: mine?.unreadAt ?? 0 },
    health,
    collapsed: sidebarCollapsed(request),
  };
}
