import { href } from 'react-router';
import type { ApprovalFilter } from '#app/engine/approvals/approval-filter.ts';
import type { InboxFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';

/** The desk with these filters; empty ones are left out, and so is the state that it begins with. */
export function approvalsUrl(chosen: Partial<ApprovalFilter>, status: InboxFilter): string {
  const filters = { ...chosen, status: status === 'pending' ? '' : status };
  const query = Object.entries(filters).flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]]));
  return query.length === 0 ? href('/dashboard/approvals') : `${href('/dashboard/approvals')}?${new URLSearchParams(query)}`;
}
