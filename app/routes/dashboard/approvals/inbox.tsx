import { ApprovalInbox } from '#app/features/approvals/approval-inbox.tsx';
import { loadApprovalInbox } from '#app/features/approvals/load-approval-inbox.server.ts';
import type { Route } from './+types/inbox';

export const handle = { i18n: ['approvals'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadApprovalInbox({ url, context });
}

export default function Inbox({ loaderData }: Route.ComponentProps) {
  return <ApprovalInbox {...loaderData} />;
}
