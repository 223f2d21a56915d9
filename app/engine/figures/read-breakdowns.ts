import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { TimeWindow } from '#app/domain/runs/time-window.ts';
import type { StepQuery } from '#app/engine/figures/read-step-times.ts';
import { ACTIVE_MS, liveRuns, type RunScope } from '#app/engine/figures/run-scope.ts';

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

/** Agents by their work: steps of kind `agent`, by the connection that answered. */
export const AGENT_FIGURES: StepQuery<AgentFigures> = {
  text: sql`select g.id, coalesce(c.name, g.step) as name, g.calls, g.errors, g."medianMs", g."p95Ms" from (
      select e.connection_id as id, min(e.name) as step, count(*)::int as calls, (count(*) filter (where e.status = 'error'))::int as errors,
        percentile_cont(0.5) within group (order by e.active)::float8 as "medianMs", percentile_cont(0.95) within group (order by e.active)::float8 as "p95Ms"
      from e where e.kind = 'agent' group by e.connection_id) g
    left join quorate.connections c on c.id = g.id order by g.calls desc, name limit ${MOST}`,
};

/** Active time of completed runs; null where none completed. */
export async function readPercentiles(db: Db, scope: RunScope, window: TimeWindow): Promise<Percentiles | null> {
  const { rows } = await sql<{ values: number[] | null }>`
    select percentile_cont(array[0.5, 0.95, 0.99]) within group (order by ${ACTIVE_MS}) as values
    from ${liveRuns(scope, window)} where r.status = 'completed'`.execute(db);
  const [p50, p95, p99] = rows[0]?.values ?? [];
  return p50 === undefined || p95 === undefined || p99 === undefined ? null : { p50, p95, p99 };
}

/** Why steps failed: the stored reason's key, by workflow and step, the most frequent first. */
export const ERROR_CAUSES: StepQuery<ErrorCause> = {
  text: sql`select g.key, case when g.latest ? 'key' then g.latest else jsonb_build_object('key', g.key, 'values', '{}'::jsonb) end as latest, g.steps, g.runs, a.name as workflow, g.id as "workflowId", g.step, g.last as "lastRun" from (
      select coalesce(e.error ->> 'key', 'stepFailed') as key, e.artifact_id as id, e.path, max(e.name) as step, count(*)::int as steps, count(distinct e.run_id)::int as runs,
        (array_agg(e.run_id order by e.started_at desc))[1] as last, coalesce((array_agg(e.error order by e.started_at desc))[1], '{}') as latest
      from e where e.status = 'error' group by 1, 2, 3) g
    join quorate.artifacts a on a.id = g.id order by g.steps desc, g.key, a.name limit ${MOST}`,
};
