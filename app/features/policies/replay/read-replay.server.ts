import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { SubjectPart } from '#app/contracts/runs.ts';
import type { ReplayStatus, Verdict } from '#app/contracts/statuses.ts';
import { type Amounts, type ReplayTotal, readAmounts, readTotals } from '#app/domain/audit/replay.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { cutPage, placeInList } from '#app/engine/lists/list-place.ts';

/** Replays of a policy that are offered, the newest first. */
const LISTED = 10;

export type ShownReplay = {
  id: string;
  status: ReplayStatus;
  isDraft: boolean;
  digest: string;
  from: string;
  until: string;
  requestedAt: string;
  /** Null: somebody who is no member any longer. */
  requestedBy: { id: string; name: string | null };
  runs: number;
  totalRuns: number;
  decided: number;
  unreadable: number;
  changed: number;
  changedRuns: number;
  totals: ReplayTotal[];
};

/** A decision that would have been another one, with its run. */
export type ShownChange = {
  id: string;
  run: { id: string; number: number; subject: SubjectPart[] | null; workflow: string };
  at: string;
  path: string;
  capability: string;
  was: Verdict;
  would: Verdict;
  reason: Explanation;
  money: Amounts;
};

/** The latest replays of a policy. */
export async function readReplays(db: Db, policyId: string): Promise<ShownReplay[]> {
  const rows = await db
    .selectFrom('quorate.policy_replays as r')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.user_id', '=', 'r.requested_by').onRef('m.workspace_id', '=', 'r.workspace_id'),
    )
    .selectAll('r')
    .select('m.name as requester')
    .where('r.policy_id', '=', policyId)
    .orderBy('r.requested_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(LISTED)
    .execute();
  return rows.map((row) => ({
    ...{ id: row.id, status: row.status, isDraft: row.is_draft, digest: row.digest },
    ...{ from: row.from_at.toISOString(), until: row.until_at.toISOString(), requestedAt: row.requested_at.toISOString() },
    requestedBy: { id: row.requested_by, name: row.requester },
    ...{ runs: row.runs, totalRuns: row.total_runs, decided: row.decided, unreadable: row.unreadable },
    ...{ changed: row.changed, changedRuns: row.changed_runs, totals: readTotals(row.totals) },
  }));
}

type ChangeRow = {
  key: string;
  decision_id: string;
  run_id: string;
  run_at: Date;
  number: number;
  subject: unknown;
  workflow: string;
  step_path: string;
  capability: string;
  was: Verdict;
  would: Verdict;
  reason: Explanation;
  money: unknown;
};

/** The changes that a replay has found, run by run, the newest first. `after`: where the page begins, as an address carries it. */
export async function readReplayChanges(
  db: Db,
  { replay, after, size }: { replay: string; after: string | null; size: number },
): Promise<{ changes: ShownChange[]; next: string | null }> {
  const orders = { run: { by: sql`c.run_at`, as: 'timestamptz' } } as const;
  const { order, key, behind } = placeInList(orders, { by: 'run', descending: true }, sql`c.decision_id`, after);
  const { rows } = await sql<ChangeRow>`
    select ${key} as key, c.decision_id, c.run_id, c.run_at, c.step_path, c.capability, c.was, c.would, c.reason, c.money, r.number, r.subject,
      a.name as workflow
    from quorate.policy_replay_changes c join quorate.runs r on r.id = c.run_id join quorate.artifacts a on a.id = r.artifact_id
    where c.replay_id = ${replay} and ${behind} order by ${order} limit ${size + 1}`.execute(db);
  const { shown, next } = cutPage(rows, size);
  const changes = shown.map((row) => ({
    id: row.decision_id,
    run: { id: row.run_id, number: row.number, subject: readSubject(row.subject), workflow: row.workflow },
    at: row.run_at.toISOString(),
    ...{ path: row.step_path, capability: row.capability, was: row.was, would: row.would, reason: row.reason },
    money: readAmounts(row.money),
  }));
  return { changes, next };
}
