import { data, href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import type { Json } from '#app/domain/tables.ts';
import { withdrawApproval } from '#app/engine/approvals/vote-approval.ts';
import { VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

/** Takes the question back; a run goes on without the approval, a halt stays. */
export async function withdrawApprovalAction({
  params,
  context,
}: {
  params: { approval: string };
  context: Readonly<RouterContextProvider>;
}) {
  const { engine } = context.get(servicesContext);
  const page = href('/dashboard/approvals/:approval', { approval: params.approval });
  if (!z.uuid().safeParse(params.approval).success) throw data({ code: 'not_found' }, { status: 404 });
  try {
    await context.get(memberContext).change(async (db) => {
      const decided = await withdrawApproval(db, engine, params.approval);
      return {
        result: null,
        event: {
          action: 'approval.withdrawn',
          resource: { kind: 'approval', id: params.approval, name: decided.title },
          payload:
            decided.kind === 'release'
              ? { subject: 'release' }
              : ({ run: decided.runId, step: decided.stepPath } as { [key: string]: Json }),
        },
      };
    });
  } catch (error) {
    if (error instanceof VoteRefused && error.refusal === 'closed')
      return redirectWithNotice(page, 'approvalClosedMeanwhile', { kind: 'attention' });
    if (error instanceof VoteRefused) throw data({ code: error.code }, { status: error.status });
    throw error;
  }
  return redirectWithNotice(page, 'approvalWithdrawn');
}
