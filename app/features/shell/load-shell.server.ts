import type { RouterContextProvider } from 'react-router';
import { may } from '#app/domain/roles.ts';
import { countPendingApprovals } from '#app/engine/approvals/count-pending-approvals.ts';
import { loadHealthOrNull } from '#app/features/shell/load-health.server.ts';
import { sidebarCollapsed } from '#app/features/shell/preferences.server.ts';
import { memberContext, membershipsContext } from '#app/request-context.ts';

/** What stands around every screen of the app area. */
export async function loadShell(context: Readonly<RouterContextProvider>, request: Request) {
  const { member, read } = context.get(memberContext);
  const [waiting, health] = await Promise.all([read((db) => countPendingApprovals(db, member)), loadHealthOrNull(context)]);
  return {
    member: { name: member.name, email: member.email, roles: [...member.roles] },
    workspace: { id: member.workspace.id, name: member.workspace.name, halted: member.workspace.haltedAt !== null },
    workspaces: context.get(membershipsContext).map(({ workspace }) => ({ id: workspace.id, name: workspace.name })),
    decides: may(member.roles, 'decideApproval'),
    approvalsWaiting: waiting,
    health,
    collapsed: sidebarCollapsed(request),
  };
}
