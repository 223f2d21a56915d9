import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { type Figures, makeFigures } from '#app/domain/runs/figures.ts';
import type { TimeWindow } from '#app/domain/runs/time-window.ts';
import { type RunFigures, readRunFigures } from '#app/engine/figures/read-runs.ts';
import { liveRuns, type RunScope } from '#app/engine/figures/run-scope.ts';

type Stretch = { from: Date; until: Date };

/**
 * The main figures of a window and of the one before it, as far as the member may see the runs. Test runs are left out. `runs`: what those
 * of the window come to by workflow and over time, which is known by then.
 */
export async function readFigures(
  db: Db,
  scope: RunScope,
  window: TimeWindow,
): Promise<{ now: Figures; before: Figures; runs: Pick<RunFigures, 'series' | 'workflows'> }> {
  const { from, until, before, unit, hours } = window;
  const { series, workflows, ...current } = await readStretch(db, scope, { from, until }, unit);
  const earlier = await readStretch(db, scope, { from: before, until: from }, null);
  // Only its beginning is compared with, so counting is enough.
  const length = from.getTime() - before.getTime();
  const earliest = await countStarted(db, scope, { from: new Date(before.getTime() - length), until: before });
  return {
    now: makeFigures({ ...current, hours, startedBefore: earlier.counts.started }),
    before: makeFigures({ ...earlier, hours, startedBefore: earliest }),
    runs: { series, workflows },
  };
}

async function readStretch(db: Db, scope: RunScope, stretch: Stretch, unit: TimeWindow['unit'] | null) {
  return {
    ...(await readRunFigures(db, scope, stretch, unit)),
    totalWorkflows: await countWorkflows(db, scope.workspaceId, stretch.until),
    activeUsers: scope.own === null ? await countActiveUsers(db, scope.workspaceId, stretch) : null,
  };
}

async function countStarted(db: Db, scope: RunScope, stretch: Stretch): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${liveRuns(scope, stretch)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Workflows that there were at a moment. */
async function countWorkflows(db: Db, workspaceId: string, at: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from quorate.artifacts a
    where a.workspace_id = ${workspaceId} and a.kind = 'workflow' and a.created_at < ${at} and (a.deleted_at is null or a.deleted_at >= ${at})`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}

async function countActiveUsers(db: Db, workspaceId: string, { from, until }: Stretch): Promise<number> {
  const { rows } = await sql<{ count: number }>`select quorate.count_active_users(${workspaceId}, ${from}, ${until}) as count`.execute(db);
  return rows[0]?.count ?? 0;
}
