import type { RouterContextProvider } from 'react-router';
import { sayShipped, shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext, membershipsContext } from '#app/request-context.ts';

/** Who one is here, and the workspaces one belongs to. */
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
