import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { RunCounts, SavedTime } from '#app/domain/runs/figures.ts';
import { bucketsOf, type TimeWindow } from '#app/domain/runs/time-window.ts';
import { ACTIVE_MS, liveRuns, type RunScope } from '#app/engine/figures/run-scope.ts';

export type SeriesPoint = { at: string; started: number; completed: number; failed: number; responseMs: number | null };
export type WorkflowFigures = RunCounts & { id: string; name: string };
/** `series`: one point an hour or a day (UTC), without gaps; none where no unit was asked. `workflows`: the busiest first. */
export type RunFigures = { counts: RunCounts; saved: SavedTime; series: SeriesPoint[]; workflows: WorkflowFigures[] };

type Group = RunCounts & { at: Date | null; id: string; name: string; minutes: number };

const MOST_WORKFLOWS = 100;

/**
 * Totals of the live runs in a window, by workflow and over time, from one pass over them. By version first: the documents of versions,
 * which say how long a case took by hand, are large, and few.
 */
export async function readRunFigures(
  db: Db,
  scope: RunScope,
  { from, until }: Pick<TimeWindow, 'from' | 'until'>,
  unit: TimeWindow['unit'] | null,
): Promise<RunFigures> {
  const over = unit === null ? sql`` : sql`(r.at),`;
  const { rows } = await sql<Group>`
    select g.at, g.artifact_id as id, a.name, coalesce((v.document ->> 'manualMinutes')::int, 0) as minutes,
      g.started, g.completed, g.failed, g.cancelled, g."activeMs", g."waitingMs"
    from (
      select ${unit === null ? sql`null::timestamptz as at` : sql`r.at`}, r.version_id, r.artifact_id, count(*)::int as started, (count(*) filter (where r.status = 'completed'))::int as completed,
        (count(*) filter (where r.status = 'failed'))::int as failed, (count(*) filter (where r.status = 'cancelled'))::int as cancelled,
        coalesce(sum(r.active) filter (where r.status = 'completed'), 0)::float8 as "activeMs",
        coalesce(sum(r.waiting_ms) filter (where r.status = 'completed'), 0)::float8 as "waitingMs"
      from (
        select r.version_id, r.artifact_id, r.status, r.waiting_ms, ${ACTIVE_MS} as active,
          date_trunc(${unit ?? 'day'}, r.created_at at time zone 'UTC') at time zone 'UTC' as at
        from ${liveRuns(scope, { from, until })}) r
      group by grouping sets (${over} (r.version_id, r.artifact_id))) g
    left join quorate.versions v on v.id = g.version_id left join quorate.artifacts a on a.id = g.artifact_id`.execute(db);
  const versions = rows.filter((row) => row.at === null);
  return {
    counts: versions.reduce(add, NOTHING),
    saved: {
      manualMs: versions.reduce((sum, { completed, minutes }) => sum + completed * minutes * 60_000, 0),
      activeMs: versions.reduce((sum, { activeMs, minutes }) => sum + (minutes > 0 ? activeMs : 0), 0),
    },
    series: unit === null ? [] : seriesOf(rows, { from, until, unit }),
    workflows: workflowsOf(versions),
  };
}

function seriesOf(rows: readonly Group[], window: Pick<TimeWindow, 'from' | 'until' | 'unit'>): SeriesPoint[] {
  const found = new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.at.toISOString(), row]])));
  return bucketsOf(window).map((at) => {
    const { started, completed, failed, activeMs } = found.get(at) ?? NOTHING;
    return { at, started, completed, failed, responseMs: completed === 0 ? null : activeMs / completed };
  });
}

function workflowsOf(versions: readonly Group[]): WorkflowFigures[] {
  const found = new Map<string, WorkflowFigures>();
  for (const { id, name, ...counts } of versions) found.set(id, { id, name, ...add(found.get(id) ?? NOTHING, counts) });
  return [...found.values()]
    .sort((a, b) => b.started - a.started || a.name.localeCompare(b.name, 'en') || a.id.localeCompare(b.id, 'en'))
    .slice(0, MOST_WORKFLOWS);
}

const NOTHING: RunCounts = { started: 0, completed: 0, failed: 0, cancelled: 0, activeMs: 0, waitingMs: 0 };

function add(sum: RunCounts, more: RunCounts): RunCounts {
  return {
    started: sum.started + more.started,
    completed: sum.completed + more.completed,
    failed: sum.failed + more.failed,
    cancelled: sum.cancelled + more.cancelled,
    activeMs: sum.activeMs + more.activeMs,
    waitingMs: sum.waitingMs + more.waitingMs,
  };
}
