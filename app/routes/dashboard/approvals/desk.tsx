import { Outlet } from 'react-router';
import { ApprovalsDesk } from '#app/features/approvals/desk/approvals-desk.tsx';
import { loadApprovalList } from '#app/features/approvals/desk/load-approval-list.server.ts';
import type { Route } from './+types/desk';

export const handle = { i18n: ['approvals'] };

export function loader({ url, context }: Route.LoaderArgs) {
  return loadApprovalList({ url, context });
}

export default function Desk({ loaderData }: Route.ComponentProps) {
  return (
    <ApprovalsDesk list={loaderData}>
      <Outlet />
    </ApprovalsDesk>
  );
}
