import type { RouterContextProvider } from 'react-router';
import { data, href } from 'react-router';
import { z } from 'zod';
import { type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { proveIdentity } from '#app/components/form/prove-identity.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import type { AuditAction, AuditEntry } from '#app/domain/audit-event.ts';
import type { Json } from '#app/domain/tables.ts';
import { type VoteOutcome, voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { type VoteRefusal, VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';
import { decideApprovalSchema } from '#app/features/approvals/decide-approval-schema.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

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
};

const NOTICES = { approved: 'approvalApproved', rejected: 'approvalRejected', pending: 'approvalVoteCounted' } as const satisfies Record<
  VoteOutcome['status'],
  string
>;
const ACTIONS: Record<VoteOutcome['status'], AuditAction> = {
  approved: 'approval.approved',
  rejected: 'approval.rejected',
  pending: 'approval.voted',
};

/** Counts this member's vote on exactly the action they were shown. A high risk asks for the password first. */
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
  const { member } = access;
  const { engine } = context.get(servicesContext);
  const approval = await access.read((db) =>
    z.uuid().safeParse(params.approval).success
      ? db
          .selectFrom('quorate.approvals')
          .select(['risk', 'subject', 'subject_kind', 'action_digest', 'quorum'])
          .where('id', '=', params.approval)
          .executeTakeFirst()
      : Promise.resolve(undefined),
  );
  if (approval === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const highRisk = approval.risk === 'high';
  const isOutcome = approval.subject_kind === 'outcome';
  const parsed = await parseForm(request, decideApprovalSchema(highRisk, isOutcome));
  if (!parsed.ok) return invalidForm(parsed.reply);
  const { vote, reason, digest, password } = parsed.value;
  if (!isActionAsDigested(approval.subject, approval.action_digest)) return refused(parsed.reply, 'digest', 409);
  if (highRisk) {
    const problem = await proveIdentity(context, password ?? '');
    if (problem !== null) return invalidForm(parsed.reply, { fieldErrors: { password: [problem] } });
  }
  let outcome: VoteOutcome;
  try {
    outcome = await access.change(async (db) => {
      const counted = await voteApproval(db, engine, { approvalId: params.approval, vote, reason, digest, reauthenticated: highRisk });
      const { risk, quorum } = approval;
      const facts = { vote, digest, risk, quorum, reauthenticated: highRisk, ...(isOutcome ? { subject: 'outcome' } : {}) };
      return { result: counted, event: eventOf(counted, params.approval, facts, member.workspace.name) };
    });
  } catch (error) {
    if (error instanceof VoteRefused) return refused(parsed.reply, error.refusal, error.status);
    throw error;
  }
  const lifted = outcome.kind === 'release' && outcome.status === 'approved';
  return redirectWithNotice(
    href('/dashboard/approvals/:approval', { approval: params.approval }),
    lifted ? 'workspaceReleased' : isOutcome ? 'outcomeAnswered' : NOTICES[outcome.status],
  );
}

/** What the one event says: the vote, or, where it was the one that lifts a halt, the release itself. */
function eventOf(outcome: VoteOutcome, approvalId: string, facts: { [key: string]: Json }, workspaceName: string): AuditEntry {
  const approval = { kind: 'approval', id: approvalId, name: outcome.title };
  if (outcome.kind === 'step')
    return { action: ACTIONS[outcome.status], resource: approval, payload: { run: outcome.runId, step: outcome.stepPath, ...facts } };
  if (outcome.status !== 'approved')
    return { action: ACTIONS[outcome.status], resource: approval, payload: { subject: 'release', ...facts } };
  return {
    action: 'workspace.released',
    resource: { kind: 'workspace', id: outcome.workspaceId, name: workspaceName },
    payload: { approval: approvalId, openRuns: outcome.openRuns, ...facts },
  };
}

function refused(reply: FormReply, refusal: VoteRefusal, status: number) {
  return invalidForm(reply, { formErrors: [SENTENCES[refusal]] }, status);
}
