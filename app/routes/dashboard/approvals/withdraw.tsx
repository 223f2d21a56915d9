import { loadApproval } from '#app/features/approvals/load-approval.server.ts';
import { withdrawApprovalAction } from '#app/features/approvals/withdraw-approval-action.server.ts';
import { WithdrawApprovalPage } from '#app/features/approvals/withdraw-approval-page.tsx';
import type { Route } from './+types/withdraw';

export const handle = { i18n: ['approvals'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadApproval({ params, context });
}

export function action({ params, context }: Route.ActionArgs) {
  return withdrawApprovalAction({ params, context });
}

export default function WithdrawApproval({ loaderData }: Route.ComponentProps) {
  return <WithdrawApprovalPage approval={loaderData} />;
}
