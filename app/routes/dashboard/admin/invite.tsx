import { inviteAction } from '#app/features/members/invite-action.server.ts';
import { InviteForm } from '#app/features/members/invite-form.tsx';
import { requireMemberAdmin } from '#app/features/members/require-admin.server.ts';
import type { Route } from './+types/invite';

export const handle = { i18n: ['members', 'validation'] };

export const middleware: Route.MiddlewareFunction[] = [requireMemberAdmin];

export function action(args: Route.ActionArgs) {
  return inviteAction(args);
}

export default function Invite({ actionData }: Route.ComponentProps) {
  return <InviteForm lastResult={actionData} />;
}
