import { sql } from 'kysely';
import { type Explanation, explanationSchema } from '#app/domain/explanation.ts';
import type { RunCounts } from '#app/domain/figures.ts';
import { bucketsOf, type TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';
import { ACTIVE_MS } from '#app/engine/figures/read-figures.ts';
import { endedSteps } from '#app/engine/figures/read-step-times.ts';

export type SeriesPoint = { at: string; started: number; completed: number; failed: number; responseMs: number | null };
export type WorkflowFigures = RunCounts & { id: string; name: string };
export type AgentFigures = { id: string | null; name: string; calls: number; errors: number; medianMs: number; p95Ms: number };
export type Percentiles = { p50: number; p95: number; p99: number };
/** `latest` is the reason of the newest failure, whose values stand for the others. */
export type ErrorCause = {
  key: string;
  latest: Explanation;
  steps: number;
  runs: number;
  workflow: string;
  workflowId: string;
  step: string;
  lastRun: string;
};

const MOST = 100;

/** Runs over a window, one point an hour or a day (UTC), without gaps. */
export async function readSeries(db: Db, workspaceId: string, window: TimeWindow): Promise<SeriesPoint[]> {
  const { rows } = await sql<{ at: Date; started: number; completed: number; failed: number; responseMs: number | null }>`
    select date_trunc(${window.unit}, r.created_at at time zone 'UTC') at time zone 'UTC' as at, count(*)::int as started,
      (count(*) filter (where r.status = 'completed'))::int as completed, (count(*) filter (where r.status = 'failed'))::int as failed,
      avg(${ACTIVE_MS}) filter (where r.status = 'completed') as "responseMs"
    from quorate.runs r where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.created_at >= ${window.from} and r.created_at < ${window.until}
    group by 1`.execute(db);
  const found = new Map(rows.map((row) => [row.at.toISOString(), row]));
  return bucketsOf(window).map((at) => {
    const row = found.get(at);
    return {
      at,
      started: row?.started ?? 0,
      completed: row?.completed ?? 0,
      failed: row?.failed ?? 0,
      responseMs: row?.responseMs ?? null,
    };
  });
}

/** The busiest workflows of a window. */
export async function readWorkflowFigures(db: Db, workspaceId: string, window: TimeWindow): Promise<WorkflowFigures[]> {
  const { rows } = await sql<WorkflowFigures>`
    select g.*, a.name from (
      select r.artifact_id as id, count(*)::int as started, (count(*) filter (where r.status = 'completed'))::int as completed,
        (count(*) filter (where r.status = 'failed'))::int as failed, (count(*) filter (where r.status = 'cancelled'))::int as cancelled,
        coalesce(sum(${ACTIVE_MS}) filter (where r.status = 'completed'), 0)::float8 as "activeMs",
        coalesce(sum(r.waiting_ms) filter (where r.status = 'completed'), 0)::float8 as "waitingMs"
      from quorate.runs r where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.created_at >= ${window.from} and r.created_at < ${window.until}
      group by r.artifact_id) g join quorate.artifacts a on a.id = g.id
    order by g.started desc, a.name, g.id limit ${MOST}`.execute(db);
  return rows;
}

/** Agents by what was asked of them: steps of kind `agent`, by the connection that answered. */
export async function readAgentFigures(db: Db, workspaceId: string, window: TimeWindow): Promise<AgentFigures[]> {
  const { rows } = await sql<AgentFigures>`
    select g.id, coalesce(c.name, g.step) as name, g.calls, g.errors, g."medianMs", g."p95Ms" from (
      select e.connection_id as id, min(e.name) as step, count(*)::int as calls, (count(*) filter (where e.status = 'error'))::int as errors,
        percentile_cont(0.5) within group (order by e.active)::float8 as "medianMs", percentile_cont(0.95) within group (order by e.active)::float8 as "p95Ms"
      from ${endedSteps(workspaceId, window)} e where e.kind = 'agent' group by e.connection_id) g
    left join quorate.connections c on c.id = g.id order by g.calls desc, name limit ${MOST}`.execute(db);
  return rows;
}

/** Active time of completed runs; null where none completed. */
export async function readPercentiles(db: Db, workspaceId: string, window: TimeWindow): Promise<Percentiles | null> {
  const { rows } = await sql<{ values: number[] | null }>`
    select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by ${ACTIVE_MS}) as values
    from quorate.runs r where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.status = 'completed' and r.created_at >= ${window.from} and r.created_at < ${window.until}`.execute(
    db,
  );
  const [p50, p95, p99] = rows[0]?.values ?? [];
  return p50 === undefined || p95 === undefined || p99 === undefined ? null : { p50, p95, p99 };
}

/** Why steps failed: the stored reason's key, by workflow and step, the most frequent first. */
export async function readErrorCauses(db: Db, workspaceId: string, window: TimeWindow): Promise<ErrorCause[]> {
  const { rows } = await sql<Omit<ErrorCause, 'latest'> & { latest: unknown }>`
    select g.key, g.latest, g.steps, g.runs, a.name as workflow, g.id as "workflowId", g.step, g.last as "lastRun" from (
      select coalesce(e.error ->> 'key', 'stepFailed') as key, e.artifact_id as id, e.path, max(e.name) as step, count(*)::int as steps, count(distinct e.run_id)::int as runs,
        (array_agg(e.run_id order by e.started_at desc))[1] as last, (array_agg(e.error order by e.started_at desc))[1] as latest
      from ${endedSteps(workspaceId, window)} e where e.status = 'error' group by 1, 2, 3) g
    join quorate.artifacts a on a.id = g.id order by g.steps desc, g.key, a.name limit ${MOST}`.execute(db);
  return rows.map((row) => ({ ...row, latest: explanationSchema.safeParse(row.latest).data ?? { key: row.key, values: {} } }));
}
