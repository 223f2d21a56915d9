import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { NO_TOTALS, type ProcessTotals } from '#app/domain/runs/figures.ts';
import type { TimeWindow } from '#app/domain/runs/time-window.ts';
import { askEndedSteps, type StepQuery } from '#app/engine/figures/read-step-times.ts';
import type { RunScope } from '#app/engine/figures/run-scope.ts';

/** One model over a window. `costMicros` in millionths of a US dollar, of the calls whose price was known. */
export type ModelCost = {
  id: string | null;
  name: string;
  connection: string | null;
  connectionId: string | null;
  calls: number;
  tokensIn: number;
  tokensOut: number;
  costMicros: number;
  unpriced: number;
};

/** Time and money of all ended steps together: one row. */
export const PROCESS_TOTALS: StepQuery<ProcessTotals> = {
  text: sql`select coalesce(sum(e.own_active), 0)::float8 as "activeMs", coalesce(sum(e.own_waiting), 0)::float8 as "waitingMs",
    coalesce(sum(e.tokens_in), 0)::float8 as "tokensIn", coalesce(sum(e.tokens_out), 0)::float8 as "tokensOut", coalesce(sum(e.cost_micros), 0)::float8 as "costMicros",
    (count(*) filter (where e.tokens_in is not null))::int as calls, (count(*) filter (where e.tokens_in is not null and e.cost_micros is null))::int as unpriced from e`,
};

/** The same of the window before, for who compares; `workflowId`: of one workflow alone. */
export async function readTotalsBefore(
  db: Db,
  scope: RunScope,
  window: TimeWindow,
  workflowId: string | null = null,
): Promise<ProcessTotals> {
  const { totals } = await askEndedSteps(db, scope, { from: window.before, until: window.from }, { totals: PROCESS_TOTALS }, workflowId);
  return totals[0] ?? NO_TOTALS;
}

/** Calls and cost of each model, the most expensive first. */
export const MODEL_COSTS: StepQuery<ModelCost> = {
  text: sql`select g.id, g."connectionId", coalesce(k.title, k.name, g.step) as name, c.name as connection, g.calls, g."tokensIn", g."tokensOut", g."costMicros", g.unpriced from (
      select e.capability_id as id, e.connection_id as "connectionId", min(e.name) as step, count(*)::int as calls,
        coalesce(sum(e.tokens_in), 0)::float8 as "tokensIn", coalesce(sum(e.tokens_out), 0)::float8 as "tokensOut", coalesce(sum(e.cost_micros), 0)::float8 as "costMicros",
        (count(*) filter (where e.cost_micros is null))::int as unpriced
      from e where e.tokens_in is not null group by e.capability_id, e.connection_id) g
    left join quorate.capabilities k on k.id = g.id left join quorate.connections c on c.id = g."connectionId"
    order by g."costMicros" desc, g."tokensIn" + g."tokensOut" desc, name limit 100`,
};

/** The cost of runs by the hour or day (UTC) in which they started; runs without cost are left out. */
export function costOverTime(unit: TimeWindow['unit']): StepQuery<{ at: string; costMicros: number }> {
  return {
    text: sql`select to_char(date_trunc(${unit}, e.run_created_at at time zone 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS".000Z"') as at, sum(e.cost_micros)::float8 as "costMicros"
      from e where e.cost_micros is not null group by 1`,
  };
}

/** The cost of the runs of each workflow; workflows without cost are left out. */
export const WORKFLOW_COSTS: StepQuery<{ id: string; costMicros: number }> = {
  text: sql`select e.artifact_id as id, sum(e.cost_micros)::float8 as "costMicros" from e where e.cost_micros is not null group by 1`,
};
