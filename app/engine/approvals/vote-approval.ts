import { sql } from 'kysely';
import { asVoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import type { Db } from '#app/engine/db.ts';
import type { Engine } from '#app/engine/engine.ts';

export type Vote = {
  approvalId: string;
  vote: 'approve' | 'reject';
  reason: string;
  /** Digest of the action that the person was shown. */
  digest: string;
  /** Whether they proved with this very vote that it is them. */
  reauthenticated: boolean;
};
export type VoteOutcome = { status: 'pending' | 'approved' | 'rejected'; runId: string; stepPath: string; title: string };

/**
 * Counts one member's vote, by the rules of `quorate.vote_approval`, and lets the run go on when that decides it: both in the
 * caller's transaction. The run itself consumes the approval (rule 2).
 * @throws VoteRefused
 */
export async function voteApproval(db: Db, engine: Pick<Engine, 'enqueueRun'>, vote: Vote): Promise<VoteOutcome> {
  try {
    const { rows } = await sql<{ status: VoteOutcome['status'] }>`
      select quorate.vote_approval(${vote.approvalId}, ${vote.vote}, ${vote.reason}, ${vote.digest}, ${vote.reauthenticated}) as status`.execute(
      db,
    );
    const status = rows[0]?.status ?? 'pending';
    const approval = await wakeRun(db, engine, vote.approvalId, status !== 'pending');
    return { ...approval, status };
  } catch (error) {
    throw asVoteRefused(error);
  }
}

/**
 * Takes the question back, for who started the run. The run then goes on without the approval.
 * @throws VoteRefused
 */
export async function withdrawApproval(
  db: Db,
  engine: Pick<Engine, 'enqueueRun'>,
  approvalId: string,
): Promise<Omit<VoteOutcome, 'status'>> {
  try {
    await sql`select quorate.withdraw_approval(${approvalId})`.execute(db);
    return await wakeRun(db, engine, approvalId, true);
  } catch (error) {
    throw asVoteRefused(error);
  }
}

async function wakeRun(
  db: Db,
  engine: Pick<Engine, 'enqueueRun'>,
  approvalId: string,
  wake: boolean,
): Promise<Omit<VoteOutcome, 'status'>> {
  const approval = await db
    .selectFrom('quorate.approvals')
    .select(['run_id', 'step_path', 'title', 'workspace_id'])
    .where('id', '=', approvalId)
    .executeTakeFirstOrThrow();
  if (wake) await engine.enqueueRun(db, { id: approval.run_id, workspaceId: approval.workspace_id });
  return { runId: approval.run_id, stepPath: approval.step_path, title: approval.title };
}
