import type { RouterContextProvider } from 'react-router';
import { data, href } from 'react-router';
import { z } from 'zod';
import { type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { reauthenticate } from '#app/components/form/reauthenticate.server.ts';
import { redirectWithNotice } from '#app/components/page/notice.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { findNextApproval } from '#app/engine/approvals/find-next-approval.ts';
import type { VoteOutcome } from '#app/engine/approvals/vote-approval.ts';
import { type VoteRefusal, VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { decideApproval } from '#app/engine/commands/approvals/decide-approval.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';
import { decideApprovalSchema } from '#app/features/approvals/decide-approval-schema.ts';
import { readApprovalFilter } from '#app/features/approvals/desk/read-approval-filter.server.ts';
import { readOtherHolder } from '#app/features/approvals/work/load-work.server.ts';
import { performAsMember } from '#app/perform.server.ts';
import { readTimeZone } from '#app/platform/i18n/preference-cookies.server.ts';

/** Keys of the namespace `validation` for what the database refused. */
const SENTENCES: Record<VoteRefusal, string> = {
  unknown: 'approval.unknown',
  role: 'approval.role',
  key: 'approval.role',
  requester: 'approval.requester',
  author: 'approval.author',
  initiator: 'approval.requester',
  digest: 'approval.digest',
  closed: 'approval.closed',
  late: 'approval.late',
  voted: 'approval.voted',
  reauthenticate: 'approval.reauthenticate',
  incomplete: 'chooseOne',
  notInitiator: 'approval.notInitiator',
  requesterGone: 'approval.requesterGone',
  meaning: 'approval.meaning',
  factor: 'approval.factor',
  group: 'approval.group',
};

const NOTICES = { approved: 'approvalApproved', rejected: 'approvalRejected', pending: 'approvalVoteCounted' } as const satisfies Record<
  VoteOutcome['status'],
  string
>;
/** The same on the page of the approval that comes next. */
const NOTICES_BEFORE_NEXT = {
  approved: 'approvalApprovedNext',
  rejected: 'approvalRejectedNext',
  pending: 'approvalVoteCountedNext',
} as const satisfies Record<VoteOutcome['status'], string>;

/** Counts this member's vote on exactly the action they were shown. A high risk, and a meaning that is asked for, take a proof first. */
export async function decideApprovalAction({
  request,
  params,
  context,
}: {
  request: Request;
  params: { approval: string };
  context: Readonly<RouterContextProvider>;
}) {
  const access = context.get(memberContext);
  const approval = await access.read((db) =>
    z.uuid().safeParse(params.approval).success
      ? db
          .selectFrom('quorate.approvals')
          .select(['risk', 'subject', 'subject_kind', 'action_digest', 'quorum', 'meaning', 'reauthenticate'])
          .where('id', '=', params.approval)
          .executeTakeFirst()
      : Promise.resolve(undefined),
  );
  if (approval === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const proves = approval.risk === 'high' || approval.meaning !== null || approval.reauthenticate !== null;
  const isOutcome = approval.subject_kind === 'outcome';
  const parsed = await parseForm(request, decideApprovalSchema(isOutcome));
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { vote, reason, digest, seen, meaning, ...proof } = parsed.value;
  if (!isActionAsDigested(approval.subject, approval.action_digest)) return refused(parsed.reply, 'digest', 409);
  if (proves) {
    const fieldErrors = await reauthenticate(context, proof, { act: 'vote', subjects: [params.approval] });
    if (fieldErrors !== null) return invalidForm(parsed.reply, { fieldErrors });
  }
  const taken = await access.read((db) => readOtherHolder(db, params.approval, [seen, access.member.userId]));
  let outcome: VoteOutcome;
  try {
    const { risk, quorum } = approval;
    outcome = await performAsMember(context, decideApproval, {
      approval: params.approval,
      vote,
      reason,
      digest,
      meaning,
      zone: readTimeZone(request),
      facts: { risk, quorum, ...(isOutcome ? { subject: 'outcome' } : {}) },
    });
  } catch (error) {
    if (error instanceof VoteRefused) return refused(parsed.reply, error.refusal, error.status);
    throw error;
  }
  const lifted = outcome.kind === 'release' && outcome.status === 'approved';
  const url = new URL(request.url);
  const next = lifted
    ? null
    : await access.read((db) => findNextApproval(db, access.member, params.approval, readApprovalFilter(url.searchParams)));
  // the list stays as it was filtered
  const page = `${href('/dashboard/approvals/:approval', { approval: next ?? params.approval })}${url.search}`;
  if (taken !== null && !lifted)
    return redirectWithNotice(page, next === null ? 'approvalDecidedTaken' : 'approvalDecidedTakenNext', {
      kind: 'info',
      values: { name: taken },
    });
  return redirectWithNotice(page, lifted ? 'workspaceReleased' : noticeOf(outcome.status, isOutcome, next !== null));
}

function noticeOf(status: VoteOutcome['status'], isOutcome: boolean, isNext: boolean) {
  if (isOutcome) return isNext ? 'outcomeAnsweredNext' : 'outcomeAnswered';
  return (isNext ? NOTICES_BEFORE_NEXT : NOTICES)[status];
}

function refused(reply: FormReply, refusal: VoteRefusal, status: number) {
  return invalidForm(reply, { formErrors: [SENTENCES[refusal]] }, status);
}
