import { data, href, type RouterContextProvider, redirect } from 'react-router';
import { z } from 'zod';
import { parseForm } from '#app/components/form/parse-form.server.ts';
import { type NoticeKey, redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { type AssignRefusal, AssignRefused } from '#app/engine/approvals/work/assign-refused.ts';
import { assignApproval } from '#app/engine/commands/approvals/assign-approval.ts';
import { claimApproval } from '#app/engine/commands/approvals/claim-approval.ts';
import { returnApproval } from '#app/engine/commands/approvals/return-approval.ts';
import { assignSchema } from '#app/features/approvals/work/assign-schema.ts';
import { performAsMember } from '#app/perform.server.ts';

/** Whoever opens the address of the form, as after signing in again, gets the page that it stands on. */
export async function toApproval({ params, context }: Omit<Arguments, 'request'>) {
  if (!z.uuid().safeParse(params.approval).success) throw data({ code: 'not_found' }, { status: 404 });
  const found = await context
    .get(memberContext)
    .read((db) => db.selectFrom('quorate.approvals').select('id').where('id', '=', params.approval).executeTakeFirst());
  if (found === undefined) throw data({ code: 'not_found' }, { status: 404 });
  return redirect(href('/dashboard/approvals/:approval', params));
}

type Arguments = { request: Request; params: { approval: string }; context: Readonly<RouterContextProvider> };

/** The notice for each refusal that a person can put right. */
const REFUSED: Partial<Record<AssignRefusal, NoticeKey>> = {
  closed: 'approvalClosedMeanwhile',
  late: 'approvalClosedMeanwhile',
  meanwhile: 'approvalAssignedMeanwhile',
  memberRole: 'approvalNotToRole',
  memberRequester: 'approvalNotToRequester',
  memberAuthor: 'approvalNotToAuthor',
  memberVoted: 'approvalNotToVoted',
};

/** Assigns an approval, takes it or gives it back, and returns to its page with the list as it was filtered. */
export async function assignAction({ request, params, context }: Arguments) {
  if (!z.uuid().safeParse(params.approval).success) throw data({ code: 'not_found' }, { status: 404 });
  const parsed = await parseForm(request, assignSchema);
  if (!parsed.ok) throw data({ code: 'invalid_input' }, { status: 400 });
  const { act, to, seen } = parsed.value;
  const page = `${href('/dashboard/approvals/:approval', params)}${new URL(request.url).search}`;
  const asked = { approval: params.approval, seen: seen === '' ? null : seen };
  try {
    if (act === 'claim') await performAsMember(context, claimApproval, asked);
    else if (act === 'return' || to === '') await performAsMember(context, returnApproval, asked);
    else await performAsMember(context, assignApproval, { ...asked, to });
  } catch (error) {
    const notice = error instanceof AssignRefused ? REFUSED[error.refusal] : undefined;
    if (notice === undefined) throw error instanceof AssignRefused ? data({ code: error.code }, { status: error.status }) : error;
    return redirectWithNotice(page, notice, { kind: 'attention' });
  }
  if (act === 'claim') return redirectWithNotice(page, 'approvalClaimed');
  return redirectWithNotice(page, act === 'return' || to === '' ? 'approvalReturned' : 'approvalAssigned');
}
