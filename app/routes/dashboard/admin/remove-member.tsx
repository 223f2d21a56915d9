import { loadMember } from '#app/features/members/load-member.server.ts';
import { removeMemberAction } from '#app/features/members/remove-member-action.server.ts';
import { RemoveMemberForm } from '#app/features/members/remove-member-form.tsx';
import { requireMemberAdmin } from '#app/features/members/require-admin.server.ts';
import type { Route } from './+types/remove-member';

export const handle = { i18n: ['members', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [requireMemberAdmin];

export function loader({ context, params }: Route.LoaderArgs) {
  return loadMember(context, params.user);
}

export function action(args: Route.ActionArgs) {
  return removeMemberAction(args);
}

export default function RemoveMember({ loaderData, actionData }: Route.ComponentProps) {
  return <RemoveMemberForm member={loaderData} lastResult={actionData} />;
}
