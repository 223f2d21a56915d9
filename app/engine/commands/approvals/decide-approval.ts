import { z } from 'zod';
import type { Json } from '#app/contracts/json.ts';
import { VOTES } from '#app/contracts/statuses.ts';
import { readSignature, statedSchema } from '#app/engine/approvals/signature.ts';
import { type VoteOutcome, voteApproval } from '#app/engine/approvals/vote-approval.ts';
import { defineCommand, type EventOf, idSchema } from '#app/engine/commands/command.ts';

const ACTIONS = { approved: 'approval.approved', rejected: 'approval.rejected', pending: 'approval.voted' } as const;
type Action = (typeof ACTIONS)[keyof typeof ACTIONS] | 'workspace.released';

/**
 * Counts one member's vote on exactly the action that they were shown. `facts` are what the log says of the approval itself.
 * @throws VoteRefused
 */
export const decideApproval = defineCommand({
  permission: null,
  scope: null,
  input: z.object({
    approval: idSchema,
    vote: z.enum(VOTES),
    reason: z.string(),
    digest: z.string(),
    ...statedSchema,
    facts: z.record(z.string(), z.json()),
  }),
  actions: ['approval.approved', 'approval.rejected', 'approval.voted', 'workspace.released'],
  changes: ['quorate.approvals', 'quorate.approval_votes', 'quorate.workspaces'],
  repeat: 'refused',
  async change({ db, principal, engine }, { approval: approvalId, facts, ...given }) {
    const outcome = await voteApproval(db, engine, { approvalId, ...given });
    const { vote, digest } = given;
    const signature = await readSignature(db, 'approval', approvalId, principal.userId);
    const event = eventOf(outcome, approvalId, { vote, digest, ...facts, signature }, principal.workspace.name);
    return { result: outcome, event };
  },
});

/** The one event of a decision: the vote, or, where it was the one that lifts a halt, the release itself. */
function eventOf(outcome: VoteOutcome, approvalId: string, facts: { [key: string]: Json }, workspaceName: string): EventOf<Action> {
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
