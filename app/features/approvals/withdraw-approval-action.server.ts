import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { withdrawApproval } from '#app/engine/commands/approvals/withdraw-approval.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Takes the question back; a run continues without the approval, a halt stays. */
export async function withdrawApprovalAction({
  params,
  context,
}: {
  params: { approval: string };
  context: Readonly<RouterContextProvider>;
}) {
  const page = href('/dashboard/approvals/:approval', { approval: params.approval });
  if (!z.uuid().safeParse(params.approval).success) throw data({ code: 'not_found' }, { status: 404 });
  try {
    await performAsMember(context, withdrawApproval, { approval: params.approval });
  } catch (error) {
    if (error instanceof VoteRefused && error.refusal === 'closed')
      return redirectWithNotice(page, 'approvalClosedMeanwhile', { kind: 'attention' });
    if (error instanceof VoteRefused) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
  return redirectWithNotice(page, 'approvalWithdrawn');
}
