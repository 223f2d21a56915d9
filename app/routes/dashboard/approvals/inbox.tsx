import { ApprovalInbox } from '#app/features/approvals/desk/approval-inbox.tsx';
import { changeApprovalViews } from '#app/features/approvals/desk/approval-views.server.ts';
import { loadInbox } from '#app/features/approvals/desk/load-approval-list.server.ts';
import type { Route } from './+types/inbox';

export const handle = { i18n: ['approvals'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadInbox({ url, context });
}

export function action({ request, context }: Route.ActionArgs) {
  return changeApprovalViews({ request, context });
}

export default function Inbox({ loaderData, actionData }: Route.ComponentProps) {
  return <ApprovalInbox inbox={loaderData} refused={actionData} />;
}
