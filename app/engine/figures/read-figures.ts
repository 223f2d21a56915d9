import { sql } from 'kysely';
import { type Figures, makeFigures, type RunCounts, type SavedTime } from '#app/domain/figures.ts';
import type { TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';
import { ACTIVE_MS, liveRuns, type RunScope } from '#app/engine/figures/run-scope.ts';

type Stretch = { from: Date; until: Date };

/** The specified figures of a window and of the one before it, as far as the member may see the runs. Test runs are left out. */
export async function readFigures(db: Db, scope: RunScope, window: TimeWindow): Promise<{ now: Figures; before: Figures }> {
  const current = await readStretch(db, scope, { from: window.from, until: window.until });
  const earlier = await readStretch(db, scope, { from: window.before, until: window.from });
  // Only its beginning is compared with, so counting is enough.
  const length = window.from.getTime() - window.before.getTime();
  const earliest = await countStarted(db, scope, { from: new Date(window.before.getTime() - length), until: window.before });
  const { hours } = window;
  return {
    now: makeFigures({ ...current, hours, startedBefore: earlier.counts.started }),
    before: makeFigures({ ...earlier, hours, startedBefore: earliest }),
  };
}

async function readStretch(db: Db, scope: RunScope, stretch: Stretch) {
  return {
    ...(await countRuns(db, scope, stretch)),
    totalWorkflows: await countWorkflows(db, scope.workspaceId, stretch.until),
    activeUsers: scope.own === null ? await countActiveUsers(db, scope.workspaceId, stretch) : null,
  };
}

/** By version first: the documents of versions, which say how long a case took by hand, are large, and few. */
async function countRuns(db: Db, scope: RunScope, stretch: Stretch): Promise<{ counts: RunCounts; saved: SavedTime }> {
  const { rows } = await sql<RunCounts & { manualMs: number; savingMs: number }>`
    select coalesce(sum(g.started), 0)::int as "started", coalesce(sum(g.completed), 0)::int as "completed", coalesce(sum(g.failed), 0)::int as "failed", coalesce(sum(g.cancelled), 0)::int as "cancelled",
      coalesce(sum(g.active), 0)::float8 as "activeMs", coalesce(sum(g.waiting), 0)::float8 as "waitingMs",
      coalesce(sum(g.completed * x.minutes * 60000.0), 0)::float8 as "manualMs", coalesce(sum(g.active) filter (where x.minutes > 0), 0)::float8 as "savingMs"
    from (select r.version_id, count(*) as started, count(*) filter (where r.status = 'completed') as completed, count(*) filter (where r.status = 'failed') as failed, count(*) filter (where r.status = 'cancelled') as cancelled,
        sum(${ACTIVE_MS}) filter (where r.status = 'completed') as active, sum(r.waiting_ms) filter (where r.status = 'completed') as waiting
      from ${liveRuns(scope, stretch)} group by r.version_id) g
    join quorate.versions v on v.id = g.version_id
    cross join lateral (select coalesce((v.document ->> 'manualMinutes')::int, 0) as minutes) x`.execute(db);
  const [row] = rows;
  const none = { started: 0, completed: 0, failed: 0, cancelled: 0, activeMs: 0, waitingMs: 0, manualMs: 0, savingMs: 0 };
  const { manualMs, savingMs, ...counts } = row ?? none;
  return { counts, saved: { manualMs, activeMs: savingMs } };
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
