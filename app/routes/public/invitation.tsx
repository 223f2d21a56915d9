import { privatePage } from '#app/components/page/private-page.server.ts';
import { requireFactor } from '#app/features/auth/factor/require-factor.server.ts';
import { answerInvitationAction } from '#app/features/members/answer-invitation-action.server.ts';
import { InvitationPage } from '#app/features/members/invitation-page.tsx';
import { loadInvitation } from '#app/features/members/load-invitation.server.ts';
import type { Route } from './+types/invitation';

export const handle = { i18n: ['members'] };

export const middleware: Route.MiddlewareFunction[] = [privatePage, requireFactor];

export function loader(args: Route.LoaderArgs) {
  return loadInvitation(args);
}

export function action(args: Route.ActionArgs) {
  return answerInvitationAction(args);
}

export default function Invitation({ loaderData }: Route.ComponentProps) {
  return <InvitationPage view={loaderData} />;
}
