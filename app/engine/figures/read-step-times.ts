import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { TimeWindow } from '#app/domain/runs/time-window.ts';
import { liveRuns, RUNS_LOOKED_INTO, type RunScope } from '#app/engine/figures/run-scope.ts';

/** One step of one workflow over a window; times in milliseconds; waiting is the time in which an approval of it was open. */
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
  /** In millionths of a US dollar; null: no model was called, or no price is known. */
  costMicros: number | null;
  tokensIn: number;
  tokensOut: number;
};

/**
 * A question asked of the ended steps of a window, which stand as `e`, the runs that they are of as `looked`. `active`: how long one took,
 * waiting for people left out, that of steps inside it too. `own_active` and `own_waiting`: what may be added up; a step that holds others has
 * none, since its time is that of the steps inside it. `path`: as `pathOverItems` gives it; items of loops are no steps and left out.
 */
export type StepQuery<Row> = { text: RawBuilder<unknown>; rows?: Row[] };

/**
 * Asks all questions of the same steps: those that ended, in the newest live runs that started in a window, one row an execution,
 * skipped ones left out. `runs`: how many were looked into, RUNS_LOOKED_INTO at most; `workflowId`: of one workflow alone.
 */
export async function askEndedSteps<Answers extends Record<string, StepQuery<unknown>>>(
  db: Db,
  scope: RunScope,
  window: Pick<TimeWindow, 'from' | 'until'>,
  queries: Answers,
  workflowId: string | null = null,
): Promise<{ runs: number } & { [Name in keyof Answers]: Answers[Name] extends StepQuery<infer Row> ? Row[] : never }> {
  const answers = Object.entries(queries).map(
    ([name, { text }]) => sql`(select coalesce(jsonb_agg(x.*), '[]') from (${text}) x) as ${sql.id(name)}`,
  );
  const { rows } = await sql<never>`
    with looked as materialized (select r.* from ${liveRuns(scope, window, RUNS_LOOKED_INTO, workflowId)}),
    ended as materialized (
      select r.artifact_id, r.version_id, r.status as run_status, s.run_id, s.path as place, s.kind in ('branch', 'for_each', 'repeat', 'try', 'cleanup') or s.agent_id is not null as holds,
        case when s.within is null then s.path when s.within like '%/%/%' then regexp_replace(s.path, '/[0-9]+(?=/)', '/*', 'g')
          else rtrim(s.within, '0123456789') || '*' || substr(s.path, length(s.within) + 1) end as path, s.name, s.kind, s.status, s.attempt, s.connection_id, s.capability_id, s.error, s.started_at, s.tokens_in, s.tokens_out, s.cost_micros, r.created_at as run_created_at, t.total, w.waiting
      from looked r join quorate.steps s on s.run_id = r.id left join quorate.approvals a on a.id = s.approval_id
      cross join lateral (select date_part('epoch', s.finished_at - s.started_at) * 1000 as total) t
      cross join lateral (select case when a.id is not null then least(t.total, greatest(0, date_part('epoch', coalesce(a.decided_at, s.finished_at) - a.created_at) * 1000))
        when s.kind = 'approval' then t.total else 0 end as waiting) w
      where s.finished_at is not null and s.status <> 'skipped' and s.item_index is null),
    waits as materialized (select i.run_id, i.place, i.waiting from ended i where i.waiting > 0),
    inside as materialized (
      select h.run_id, h.place, sum(i.waiting) as waiting
      from ended h join waits i on i.run_id = h.run_id and starts_with(i.place, h.place || '/') where h.holds group by 1, 2),
    e as not materialized (
      select s.*, greatest(0, s.total - coalesce(o.waiting, case when s.holds then 0 else s.waiting end)) as active,
        case when s.holds then 0 else s.waiting end as own_waiting, case when s.holds then 0 else greatest(0, s.total - s.waiting) end as own_active
      from ended s left join inside o on o.run_id = s.run_id and o.place = s.place and s.holds)
    select (select count(*) from looked)::int as runs, ${sql.join(answers)}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered nothing');
  return row;
}

/** Steps by the time they take, the slowest first. */
export function stepTimes(most: number): StepQuery<StepTimes> {
  return {
    text: sql`select g.*, a.name as workflow from (
      select e.artifact_id as "workflowId", e.path, max(e.name) as name, max(e.kind) as kind, count(*)::int as count,
        (count(*) filter (where e.status = 'error'))::int as errors, (count(*) filter (where e.attempt > 1))::int as retried, sum(e.attempt)::int as attempts,
        percentile_cont(0.5) within group (order by e.active)::float8 as "medianMs", percentile_cont(0.95) within group (order by e.active)::float8 as "p95Ms",
        sum(e.own_active)::float8 as "activeMs", sum(e.own_waiting)::float8 as "waitingMs",
        sum(e.cost_micros)::float8 as "costMicros", coalesce(sum(e.tokens_in), 0)::float8 as "tokensIn", coalesce(sum(e.tokens_out), 0)::float8 as "tokensOut"
      from e group by e.artifact_id, e.path) g join quorate.artifacts a on a.id = g."workflowId"
    order by g."activeMs" + g."waitingMs" desc, g."workflowId", g.path limit ${most}`,
  };
}

/** The slowest of them. */
export function slowestSteps(most: number): StepQuery<StepTimes> {
  return { text: sql`select x.* from (${stepTimes(5_000).text}) x order by x."p95Ms" desc, x."workflowId", x.path limit ${most}` };
}
