import type { RouterContextProvider } from 'react-router';
import { data } from 'react-router';
import { z } from 'zod';
import { type FormReply, invalidForm, parseForm } from '#app/components/form/parse-form.server.ts';
import { redirectWithNotice } from '#app/components/notice.server.ts';
import { AppError } from '#app/domain/errors.ts';
import { type VoteOutcome, voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { type VoteRefusal, VoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { isActionAsDigested } from '#app/features/approvals/action-subject.server.ts';
import { decideApprovalSchema } from '#app/features/approvals/decide-approval-schema.ts';
import { authContext, memberContext, servicesContext } from '#app/request-context.ts';

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
const ACTIONS: Record<VoteOutcome['status'], string> = {
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
  const { engine } = context.get(servicesContext);
  const approval = await access.read((db) =>
    z.uuid().safeParse(params.approval).success
      ? db
          .selectFrom('quorate.approvals')
          .select(['risk', 'subject', 'action_digest', 'quorum', 'step_path', 'run_id'])
          .where('id', '=', params.approval)
          .executeTakeFirst()
      : Promise.resolve(undefined),
  );
  if (approval === undefined) throw data({ code: 'not_found' }, { status: 404 });
  const highRisk = approval.risk === 'high';
  const parsed = await parseForm(request, decideApprovalSchema(highRisk));
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
      return {
        result: counted,
        event: {
          action: ACTIONS[counted.status],
          resource: { kind: 'approval', id: params.approval, name: counted.title },
          payload: {
            run: counted.runId,
            step: counted.stepPath,
            vote,
            digest,
            risk: approval.risk,
            quorum: approval.quorum,
            reauthenticated: highRisk,
          },
        },
      };
    });
  } catch (error) {
    if (error instanceof VoteRefused) return refused(parsed.reply, error.refusal, error.status);
    throw error;
  }
  return redirectWithNotice(`/dashboard/approvals/${params.approval}`, NOTICES[outcome.status]);
}

function refused(reply: FormReply, refusal: VoteRefusal, status: number) {
  return invalidForm(reply, { formErrors: [SENTENCES[refusal]] }, status);
}

/** Null: it is them. Otherwise what is wrong, as a key of `validation`. */
async function proveIdentity(context: Readonly<RouterContextProvider>, password: string): Promise<string | null> {
  const { user, verifyPassword } = context.get(authContext);
  try {
    return user !== null && (await verifyPassword(user.email, password)) ? null : 'wrongPassword';
  } catch (error) {
    if (error instanceof AppError && error.code === 'over_limit') return 'tooManyAttempts';
    if (error instanceof AppError && error.code === 'unavailable') return 'identityUnavailable';
    throw error;
  }
}
