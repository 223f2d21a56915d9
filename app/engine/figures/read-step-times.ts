import { type RawBuilder, sql } from 'kysely';
import type { TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';

/** One step of one workflow over a window; times in milliseconds, waiting is the time an approval of it was open. */
export type StepTimes = {
  workflowId: string;
  workflow: string;
  path: string;
  name: string;
  kind: string;
  count: number;
  errors: number;
  retried: number;
  attempts: number;
  medianMs: number;
  p95Ms: number;
  activeMs: number;
  waitingMs: number;
};

/**
 * Ended steps of the live runs that started in a window, as `e`: one row an execution, skipped ones left out. Reached from the
 * runs of the window, so that its cost is the window's.
 */
export function endedSteps(workspaceId: string, { from, until }: Pick<TimeWindow, 'from' | 'until'>): RawBuilder<unknown> {
  return sql`(
    select r.artifact_id, s.run_id, s.path, s.name, s.kind, s.status, s.attempt, s.connection_id, s.capability_id, s.candidates, s.error, s.started_at, w.waiting, greatest(0, t.total - w.waiting) as active
    from quorate.runs r join quorate.steps s on s.run_id = r.id left join quorate.approvals a on a.id = s.approval_id
    cross join lateral (select extract(epoch from s.finished_at - s.started_at) * 1000 as total) t
    cross join lateral (select case when a.id is not null then least(t.total, greatest(0, extract(epoch from coalesce(a.decided_at, s.finished_at) - a.created_at) * 1000))
      when s.kind = 'approval' then t.total else 0 end as waiting) w
    where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.created_at >= ${from} and r.created_at < ${until}
      and s.workspace_id = ${workspaceId} and s.started_at >= ${from} and s.finished_at is not null and s.status <> 'skipped')`;
}

const MOST = 200;

/** Where the time goes, step by step, the costliest first. */
export async function readStepTimes(
  db: Db,
  workspaceId: string,
  window: TimeWindow,
  workflowId: string | null = null,
): Promise<StepTimes[]> {
  const { rows } = await sql<StepTimes>`
    select g.*, a.name as workflow from (
      select e.artifact_id as "workflowId", e.path, max(e.name) as name, max(e.kind) as kind, count(*)::int as count,
        (count(*) filter (where e.status = 'error'))::int as errors, (count(*) filter (where e.attempt > 1))::int as retried, sum(e.attempt)::int as attempts,
        percentile_cont(0.5) within group (order by e.active)::float8 as "medianMs", percentile_cont(0.95) within group (order by e.active)::float8 as "p95Ms",
        sum(e.active)::float8 as "activeMs", sum(e.waiting)::float8 as "waitingMs"
      from ${endedSteps(workspaceId, window)} e
      ${workflowId === null ? sql`` : sql`where e.artifact_id = ${workflowId}`}
      group by e.artifact_id, e.path) g join quorate.artifacts a on a.id = g."workflowId"
    order by g."activeMs" + g."waitingMs" desc, g."workflowId", g.path limit ${MOST}`.execute(db);
  return rows;
}
