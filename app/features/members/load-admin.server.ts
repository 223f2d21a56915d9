import type { RouterContextProvider } from 'react-router';
import { may } from '#app/domain/roles.ts';
import { memberContext } from '#app/request-context.ts';

export function loadAdmin(context: Readonly<RouterContextProvider>): { workspace: string; manages: boolean } {
  const { member } = context.get(memberContext);
  return { workspace: member.workspace.name, manages: may(member.roles, 'manageMembers') };
}
