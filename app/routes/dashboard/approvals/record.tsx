import { ApprovalRecordPage } from '#app/features/approvals/record/approval-record-page.tsx';
import { loadApprovalRecord } from '#app/features/approvals/record/load-approval-record.server.ts';
import type { Route } from './+types/record';

export const handle = { i18n: ['approvals', 'explanations', 'inputs'] };

export function loader({ params, context }: Route.LoaderArgs) {
  return loadApprovalRecord({ params, context });
}

export default function ApprovalRecord({ loaderData }: Route.ComponentProps) {
  return <ApprovalRecordPage record={loaderData} />;
}
