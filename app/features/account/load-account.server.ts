import type { RouterContextProvider } from 'react-router';
import { memberContext, membershipsContext } from '#app/request-context.ts';

/** Who one is here, and the workspaces one belongs to. */
export function loadAccount(context: Readonly<RouterContextProvider>) {
  const { member } = context.get(memberContext);
  return {
    email: member.email,
    name: member.name,
    roles: [...member.roles],
    workspace: { id: member.workspace.id, name: member.workspace.name },
    workspaces: context.get(membershipsContext).map(({ workspace }) => ({ id: workspace.id, name: workspace.name })),
  };
}
export type AccountView = ReturnType<typeof loadAccount>;
