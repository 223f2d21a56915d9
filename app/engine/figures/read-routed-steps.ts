import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { StepStatus } from '#app/contracts/statuses.ts';
import { type RouteCandidate, readCandidates } from '#app/domain/runs/route-candidates.ts';
import { RUNS_LOOKED_INTO, type RunScope } from '#app/engine/figures/run-scope.ts';

export type RoutedStep = {
  runId: string;
  path: string;
  name: string;
  workflow: string;
  status: StepStatus;
  mode: 'live' | 'test';
  at: string;
  reason: Explanation | null;
  candidates: RouteCandidate[];
};

/**
 * Steps that were routed, newest first. `before` is the last row of the page before, as `run:path`; the row itself says where to continue,
 * so that every page costs the same.
 */
export async function readRoutedSteps(
  db: Db,
  { workspaceId, own }: RunScope,
  options: { before: { runId: string; path: string } | null; choicesOnly: boolean; limit: number },
): Promise<{ rows: RoutedStep[]; more: boolean }> {
  const { before, limit } = options;
  const { rows } = await sql<{
    run_id: string;
    path: string;
    name: string;
    workflow: string;
    status: StepStatus;
    mode: 'live' | 'test';
    started_at: Date;
    reason: Explanation | null;
    candidates: unknown;
  }>`
    select s.run_id, s.path, s.name, s.status, s.started_at, s.reason, s.candidates, r.mode, a.name as workflow
    from (select s.* from ${own === null ? sql`quorate.steps s` : sql`(select n.id from quorate.runs n where n.workspace_id = ${workspaceId} and n.initiator_id = ${own} order by n.created_at desc, n.id desc limit ${RUNS_LOOKED_INTO}) own join quorate.steps s on s.run_id = own.id`}
      where s.workspace_id = ${workspaceId} and s.candidates is not null
      ${options.choicesOnly ? sql`and jsonb_array_length(s.candidates) > 1` : sql``}
      ${before === null ? sql`` : sql`and (s.started_at, s.position) < (select b.started_at, b.position from quorate.steps b where b.run_id = ${before.runId} and b.path = ${before.path})`}
    order by s.started_at desc, s.position desc limit ${limit + 1}) s
    join quorate.runs r on r.id = s.run_id join quorate.artifacts a on a.id = r.artifact_id
    order by s.started_at desc, s.position desc`.execute(db);
  return {
    more: rows.length > limit,
    rows: rows.slice(0, limit).map((row) => ({
      runId: row.run_id,
      path: row.path,
      name: row.name,
      workflow: row.workflow,
      status: row.status,
      mode: row.mode,
      at: row.started_at.toISOString(),
      reason: row.reason,
      candidates: readCandidates(row.candidates),
    })),
  };
}
