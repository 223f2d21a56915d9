import { z } from 'zod';
import { RISKS } from '#app/contracts/statuses.ts';
import { type ApprovalFilter, DUE_WORDS } from '#app/engine/approvals/approval-filter.ts';

/** The filter in an address. A word that there is not is none. */
export function readApprovalFilter(url: URL): ApprovalFilter {
  const word = (name: string) => url.searchParams.get(name) ?? '';
  return {
    workflow: z.uuid().safeParse(word('workflow')).data ?? '',
    risk: RISKS.find((risk) => risk === word('risk')) ?? '',
    due: DUE_WORDS.find((due) => due === word('due')) ?? '',
    assigned: ['me', 'nobody'].find((whose) => whose === word('assigned')) ?? z.uuid().safeParse(word('assigned')).data ?? '',
  };
}
