import { ApprovalInbox } from '#app/features/approvals/desk/approval-inbox.tsx';
import { loadInbox } from '#app/features/approvals/desk/load-approval-list.server.ts';
import type { Route } from './+types/inbox';

export const handle = { i18n: ['approvals'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadInbox({ url, context });
}

export default function Inbox({ loaderData }: Route.ComponentProps) {
  return <ApprovalInbox inbox={loaderData} />;
}
