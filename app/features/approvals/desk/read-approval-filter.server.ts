import { z } from 'zod';
import { RISKS } from '#app/contracts/statuses.ts';
import { readAnyAmount } from '#app/domain/workflows/fields/money.ts';
import { type ApprovalFilter, DUE_WORDS } from '#app/engine/approvals/approval-filter.ts';

/** `pending` is the default; `all` lists the open ones first. */
const INBOX_FILTERS = ['pending', 'approved', 'consumed', 'rejected', 'expired', 'withdrawn', 'all'] as const;
export type InboxFilter = (typeof INBOX_FILTERS)[number];

export const readInboxFilter = (params: URLSearchParams): InboxFilter =>
  INBOX_FILTERS.find((word) => word === params.get('status')) ?? 'pending';

const MOST_CHARACTERS = 200;

/** The filter in an address. A word or a number that there is not is none. */
export function readApprovalFilter(params: URLSearchParams): ApprovalFilter {
  const word = (name: string) => params.get(name)?.trim() ?? '';
  return {
    workflow: z.uuid().safeParse(word('workflow')).data ?? '',
    risk: RISKS.find((risk) => risk === word('risk')) ?? '',
    due: DUE_WORDS.find((due) => due === word('due')) ?? '',
    assigned: ['me', 'nobody'].find((whose) => whose === word('assigned')) ?? z.uuid().safeParse(word('assigned')).data ?? '',
    q: word('q').replaceAll('\0', '').slice(0, MOST_CHARACTERS),
    min: readAnyAmount(word('min')) ?? '',
    max: readAnyAmount(word('max')) ?? '',
  };
}
