import { changeRolesAction } from '#app/features/members/change-roles-action.server.ts';
import { ChangeRolesForm } from '#app/features/members/change-roles-form.tsx';
import { loadMember } from '#app/features/members/load-member.server.ts';
import { requireMemberAdmin } from '#app/features/members/require-admin.server.ts';
import type { Route } from './+types/member-roles';

export const handle = { i18n: ['members', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [requireMemberAdmin];

export function loader({ context, params }: Route.LoaderArgs) {
  return loadMember(context, params.user);
}

export function action(args: Route.ActionArgs) {
  return changeRolesAction(args);
}

export default function MemberRoles({ loaderData, actionData }: Route.ComponentProps) {
  return <ChangeRolesForm member={loaderData} lastResult={actionData} />;
}
