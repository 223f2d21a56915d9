import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Member } from '#app/contracts/principals.ts';
import { can } from '#app/domain/people/roles.ts';
import { bucketsOf } from '#app/domain/runs/time-window.ts';
import { ACTIVE_MS, RUNS_COUNTED } from '#app/engine/figures/run-scope.ts';
import { type DayCounts, NO_RUNS, sumOf } from '#app/features/dashboard/day-figures.ts';

const DAY_MS = 86_400_000;
const DAYS = 14;

/** `days`: fourteen calendar days (UTC), the last one today. `week`, `before`: the last seven times 24 hours, and those before them. */
export type Days = { days: (DayCounts & { at: string })[]; week: DayCounts; before: DayCounts; counted: number | null };

type Row = DayCounts & { at: Date; recent: boolean };

/** Live runs of the last fourteen days by day and end, from one pass over them; beyond RUNS_COUNTED the newest. */
export async function readDays(db: Db, member: Member, now: Date): Promise<Days> {
  const from = new Date(now.getTime() - DAYS * DAY_MS);
  const week = new Date(now.getTime() - 7 * DAY_MS);
  const own = can(member.roles, 'seeAllRuns') ? sql`` : sql`and n.initiator_id = ${member.userId}`;
  const { rows } = await sql<Row>`
    select r.at, r.recent, count(*)::int as started, (count(*) filter (where r.status = 'completed'))::int as completed,
      (count(*) filter (where r.status = 'failed'))::int as failed, (count(*) filter (where r.status = 'cancelled'))::int as cancelled,
      coalesce(sum(r.active) filter (where r.status = 'completed'), 0)::float8 as "activeMs", coalesce(sum(r.cost_micros), 0)::float8 as "costMicros"
    from (select date_trunc('day', r.created_at at time zone 'UTC') at time zone 'UTC' as at, r.created_at >= ${week} as recent, r.status,
        ${ACTIVE_MS} as active, r.cost_micros
      from (select n.created_at, n.status, n.started_at, n.finished_at, n.waiting_ms, n.cost_micros from quorate.runs n
        where n.workspace_id = ${member.workspace.id} ${own} and n.mode = 'live' and n.created_at >= ${from} and n.created_at < ${now}
        order by n.created_at desc, n.id desc limit ${RUNS_COUNTED}) r) r
    group by 1, 2`.execute(db);
  const first = new Date((Math.floor(now.getTime() / DAY_MS) - DAYS + 1) * DAY_MS);
  return {
    days: bucketsOf({ from: first, until: new Date(now.getTime() + 1), unit: 'day' }).map((at) => ({
      at,
      ...sumOf(rows.filter((row) => row.at.toISOString() === at)),
    })),
    week: sumOf(rows.filter(({ recent }) => recent)),
    before: sumOf(rows.filter(({ recent }) => !recent)),
    counted: rows.reduce((sum, { started }) => sum + started, NO_RUNS.started) >= RUNS_COUNTED ? RUNS_COUNTED : null,
  };
}
