import { href, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { AppError } from '#app/domain/errors.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import { VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { decideApproval } from '#app/engine/commands/approvals/decide-approval.ts';
import { MOST_TOGETHER, readTogether, type TogetherRow } from '#app/features/approvals/together/load-together.server.ts';
import { performAsMember } from '#app/perform.server.ts';
import { readTimeZone } from '#app/platform/i18n/preference-cookies.server.ts';

type Context = Readonly<RouterContextProvider>;

/** `<approval> <digest>`: each vote is on exactly the action that was shown. */
const chosenSchema = z.array(z.string().regex(/^\S{36} \S{1,128}$/)).max(MOST_TOGETHER);

/** Approves each that was ticked, as its own page would, one after another; of one that was decided meanwhile it says so and goes on. */
export async function decideTogetherAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { approval: string };
  context: Context;
}) {
  assertPermission(context.get(memberContext).member.roles, 'decideApproval');
  const chosen = chosenSchema.safeParse((await request.formData()).getAll('approval'));
  if (!chosen.success) throw new AppError('invalid_input');
  const here = href('/dashboard/approvals/:approval/together', params);
  if (chosen.data.length === 0) return redirectWithNotice(here, 'approvalsNoneChosen', { kind: 'attention' });
  const digests = new Map(chosen.data.map((entry) => [entry.slice(0, 36), entry.slice(37)]));
  // only what may be decided together, as it stands now
  const rows = (await readTogether(context, params.approval)).filter(({ id }) => digests.has(id));
  let done = 0;
  for (const row of rows) if (await isApproved(context, row, digests.get(row.id) ?? '', readTimeZone(request))) done += 1;
  const left = digests.size - done;
  const kind = left === 0 ? ('ok' as const) : ('attention' as const);
  return redirectWithNotice(href('/dashboard/approvals'), 'approvalsApproved', { kind, values: { done, left } });
}

async function isApproved(context: Context, { id, risk, quorum }: TogetherRow, digest: string, zone: string): Promise<boolean> {
  try {
    const vote = { approval: id, vote: 'approve' as const, reason: '', digest, zone };
    await performAsMember(context, decideApproval, { ...vote, facts: { risk, quorum, together: true } });
    return true;
  } catch (error) {
    if (error instanceof VoteRefused) return false;
    throw error;
  }
}
