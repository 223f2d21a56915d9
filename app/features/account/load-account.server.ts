import type { RouterContextProvider } from 'react-router';
import { sayShipped, shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, membershipsContext } from '#app/contracts/request-context.ts';

/** The person's role here, and their workspaces. */
export function loadAccount(context: Readonly<RouterContextProvider>) {
  const { member } = context.get(memberContext);
  return {
    email: member.email,
    name: member.name,
    roles: [...member.roles],
    workspace: { id: member.workspace.id, name: shownWorkspaceName(context) },
    workspaces: context
      .get(membershipsContext)
      .map(({ workspace }) => ({ id: workspace.id, name: workspace.isDemo ? sayShipped(context)(workspace.name) : workspace.name })),
  };
}
export type AccountView = ReturnType<typeof loadAccount>;
