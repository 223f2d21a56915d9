import type { RouterContextProvider } from 'react-router';
import { may } from '#app/domain/roles.ts';
import { ADMIN_AREAS } from '#app/features/admin/admin-areas.ts';
import { memberContext } from '#app/request-context.ts';

/** The areas that this member's roles open. */
export function loadAdminHome(context: Readonly<RouterContextProvider>) {
  const { member } = context.get(memberContext);
  const areas = ADMIN_AREAS.filter((area) => !('permission' in area) || may(member.roles, area.permission)).map(({ key, to }) => ({
    key,
    to,
  }));
  return { workspace: member.workspace.name, areas };
}
export type AdminHome = ReturnType<typeof loadAdminHome>;
