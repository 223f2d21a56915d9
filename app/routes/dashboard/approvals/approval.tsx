import { ApprovalPage } from '#app/features/approvals/approval-page.tsx';
import { decideApprovalAction } from '#app/features/approvals/decide-approval-action.server.ts';
import { loadApproval } from '#app/features/approvals/load-approval.server.ts';
import type { Route } from './+types/approval';

export const handle = { i18n: ['approvals', 'explanations', 'inputs'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadApproval({ params, context });
}

export function action({ request, params, context }: Route.ActionArgs) {
  return decideApprovalAction({ request, params, context });
}

export default function Approval({ loaderData, actionData }: Route.ComponentProps) {
  return <ApprovalPage approval={loaderData} lastResult={actionData} />;
}
