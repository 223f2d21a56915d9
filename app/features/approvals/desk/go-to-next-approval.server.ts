import { href, type RouterContextProvider, redirect } from 'react-router';
import { memberContext } from '#app/contracts/request-context.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';

/** To the approval that the member decides next; to the inbox, which says so, where none waits for them. */
export async function goToNextApproval(context: Readonly<RouterContextProvider>): Promise<Response> {
  const { member, read } = context.get(memberContext);
  const next = await read((db) => findNextApproval(db, member, null));
  return redirect(next === null ? href('/dashboard/approvals') : href('/dashboard/approvals/:approval', { approval: next }));
}
