import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { AskedMeaning, Vote } from '#app/contracts/statuses.ts';
import { asVoteRefused } from '#app/engine/approvals/vote-refusal.ts';
import { wakeOpenRuns } from '#app/engine/runs/halt-workspace.ts';

export type GivenVote = {
  approvalId: string;
  vote: Vote;
  reason: string;
  /** Digest of the action that the person was shown. */
  digest: string;
  /** The meaning that an approval states; absent: what is asked for, or that it is approved. */
  meaning?: AskedMeaning | undefined;
  /** IANA name of the zone in which the person reads times. */
  zone?: string | undefined;
};
/**
 * The subject of the decision: a step of a run, or the release of the workspace, which lets its open runs continue (`openRuns` of them).
 */
export type Decided =
  | { kind: 'step'; title: string; runId: string; stepPath: string }
  | { kind: 'release'; title: string; workspaceId: string; openRuns: number };
export type VoteOutcome = Decided & { status: 'pending' | 'approved' | 'rejected' };

/**
 * Counts one member's vote, by the rules of `quorate.vote_approval`, and lets the run continue when that decides it: both in the caller's
 * transaction. The run consumes its approval with the step that it releases; a release is consumed with the vote that approves it.
 * @throws VoteRefused
 */
export async function voteApproval(db: Db, engine: Pick<Engine, 'enqueueRun'>, vote: GivenVote): Promise<VoteOutcome> {
  try {
    const { rows } = await sql<{ status: VoteOutcome['status'] }>`
      select quorate.vote_approval(${vote.approvalId}, ${vote.vote}, ${vote.reason}, ${vote.digest}, ${vote.meaning ?? null}, ${vote.zone ?? null})
        as status`.execute(db);
    const status = rows[0]?.status ?? 'pending';
    return { ...(await continueRun(db, engine, vote.approvalId, status)), status };
  } catch (error) {
    throw asVoteRefused(error);
  }
}

/**
 * Takes the question back, for who asked it. A run then continues without the approval; a halt stays.
 * @throws VoteRefused
 */
export async function withdrawApproval(db: Db, engine: Pick<Engine, 'enqueueRun'>, approvalId: string): Promise<Decided> {
  try {
    await sql`select quorate.withdraw_approval(${approvalId})`.execute(db);
    return await continueRun(db, engine, approvalId, 'withdrawn');
  } catch (error) {
    throw asVoteRefused(error);
  }
}

async function continueRun(
  db: Db,
  engine: Pick<Engine, 'enqueueRun'>,
  approvalId: string,
  status: VoteOutcome['status'] | 'withdrawn',
): Promise<Decided> {
  const { run_id, step_path, title, workspace_id } = await db
    .selectFrom('quorate.approvals')
    .select(['run_id', 'step_path', 'title', 'workspace_id'])
    .where('id', '=', approvalId)
    .executeTakeFirstOrThrow();
  if (run_id === null) {
    const openRuns = status === 'approved' ? await wakeOpenRuns(db, engine, workspace_id) : 0;
    return { kind: 'release', title, workspaceId: workspace_id, openRuns };
  }
  if (status !== 'pending') await engine.enqueueRun(db, { id: run_id, workspaceId: workspace_id });
  return { kind: 'step', title, runId: run_id, stepPath: step_path };
}
