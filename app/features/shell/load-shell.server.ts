import type { RouterContextProvider } from 'react-router';
import { may } from '#app/domain/roles.ts';
import { sidebarCollapsed } from '#app/features/shell/preferences.server.ts';
import { memberContext } from '#app/request-context.ts';

/** What stands around every screen of the app area. */
export async function loadShell(context: Readonly<RouterContextProvider>, request: Request) {
  const { member, read } = context.get(memberContext);
  const waiting = await read((db) =>
    db
      .selectFrom('quorate.approvals')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('status', '=', 'pending')
      .executeTakeFirst(),
  );
  return {
    member: { name: member.name, email: member.email, roles: [...member.roles] },
    workspace: { id: member.workspace.id, name: member.workspace.name, halted: member.workspace.haltedAt !== null },
    decides: may(member.roles, 'decideApproval'),
    approvalsWaiting: Number(waiting?.count ?? 0),
    collapsed: sidebarCollapsed(request),
  };
}
