import { loadMembers } from '#app/features/members/load-members.server.ts';
import { MembersPage } from '#app/features/members/members-page.tsx';
import { withdrawInvitationAction } from '#app/features/members/withdraw-action.server.ts';
import type { Route } from './+types/members';

export const handle = { i18n: ['members'] };

export function loader(args: Route.LoaderArgs) {
  return loadMembers(args);
}

export function action(args: Route.ActionArgs) {
  return withdrawInvitationAction(args);
}

export default function Members({ loaderData }: Route.ComponentProps) {
  return <MembersPage view={loaderData} />;
}
