import type { RouterContextProvider } from 'react-router';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { ADMIN_AREAS } from '#app/features/admin/admin-areas.ts';
import { runsInstance } from '#app/features/admin/contact/require-operator.server.ts';

/** The areas that this member's roles open, here. */
export async function loadAdminHome(context: Readonly<RouterContextProvider>) {
  const { member, read } = context.get(memberContext);
  const operator = await read(runsInstance);
  const areas = ADMIN_AREAS.filter(
    (area) => (!('permission' in area) || can(member.roles, area.permission)) && (!('operator' in area) || operator),
  ).map(({ key, to }) => ({ key, to }));
  return { workspace: shownWorkspaceName(context), areas };
}
export type AdminHome = Awaited<ReturnType<typeof loadAdminHome>>;
