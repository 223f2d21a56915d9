import { loadApproval } from '#app/features/approvals/load-approval.server.ts';
import { talkAction } from '#app/features/approvals/talk/talk-action.server.ts';
import { TalkPage } from '#app/features/approvals/talk/talk-page.tsx';
import type { Route } from './+types/talk';

export const handle = { i18n: ['approvals'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadApproval({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return talkAction({ request, params, context });
}

export default function Talk({ loaderData, actionData }: Route.ComponentProps) {
  return <TalkPage approval={loaderData} lastResult={actionData} />;
}
