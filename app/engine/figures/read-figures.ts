import { sql } from 'kysely';
import { type Figures, makeFigures, type RunCounts, type SavedTime } from '#app/domain/figures.ts';
import type { TimeWindow } from '#app/domain/time-window.ts';
import type { Db } from '#app/engine/db.ts';

/** Active time of a finished run, in milliseconds: what passed, less what it waited. */
export const ACTIVE_MS = sql<number>`greatest(0, extract(epoch from r.finished_at - r.started_at) * 1000 - r.waiting_ms)::float8`;

type Scope = { workspaceId: string; seesAll: boolean };
type Stretch = { from: Date; until: Date };

/** The specified figures of a window and of the one before it, as far as the member may see the runs. Test runs are left out. */
export async function readFigures(db: Db, scope: Scope, window: TimeWindow): Promise<{ now: Figures; before: Figures }> {
  const current = await readStretch(db, scope, { from: window.from, until: window.until });
  const earlier = await readStretch(db, scope, { from: window.before, until: window.from });
  // Only its beginning is compared with, so counting is enough.
  const length = window.from.getTime() - window.before.getTime();
  const earliest = await countStarted(db, scope.workspaceId, { from: new Date(window.before.getTime() - length), until: window.before });
  const { hours } = window;
  return {
    now: makeFigures({ ...current, hours, startedBefore: earlier.counts.started }),
    before: makeFigures({ ...earlier, hours, startedBefore: earliest }),
  };
}

async function readStretch(db: Db, scope: Scope, stretch: Stretch) {
  return {
    counts: await countRuns(db, scope.workspaceId, stretch),
    saved: await readSavedTime(db, scope.workspaceId, stretch),
    totalWorkflows: await countWorkflows(db, scope.workspaceId, stretch.until),
    activeUsers: scope.seesAll ? await countActiveUsers(db, scope.workspaceId, stretch) : null,
  };
}

async function countRuns(db: Db, workspaceId: string, { from, until }: Stretch): Promise<RunCounts> {
  const { rows } = await sql<RunCounts>`
    select count(*)::int as "started", count(*) filter (where r.status = 'completed')::int as "completed", count(*) filter (where r.status = 'failed')::int as "failed",
      count(*) filter (where r.status = 'cancelled')::int as "cancelled",
      coalesce(sum(${ACTIVE_MS}) filter (where r.status = 'completed'), 0)::float8 as "activeMs",
      coalesce(sum(r.waiting_ms) filter (where r.status = 'completed'), 0)::float8 as "waitingMs"
    from quorate.runs r where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.created_at >= ${from} and r.created_at < ${until}`.execute(
    db,
  );
  return rows[0] ?? { started: 0, completed: 0, failed: 0, cancelled: 0, activeMs: 0, waitingMs: 0 };
}

async function countStarted(db: Db, workspaceId: string, { from, until }: Stretch): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from quorate.runs r
    where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.created_at >= ${from} and r.created_at < ${until}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Completed runs by version first: the documents of versions are large, and few. */
async function readSavedTime(db: Db, workspaceId: string, { from, until }: Stretch): Promise<SavedTime> {
  const { rows } = await sql<SavedTime>`
    select coalesce(sum(g.completed * x.minutes * 60000.0), 0)::float8 as "manualMs", coalesce(sum(g.active) filter (where x.minutes > 0), 0)::float8 as "activeMs"
    from (select r.version_id, count(*) as completed, sum(${ACTIVE_MS}) as active from quorate.runs r
      where r.workspace_id = ${workspaceId} and r.mode = 'live' and r.status = 'completed' and r.created_at >= ${from} and r.created_at < ${until} group by r.version_id) g
    join quorate.versions v on v.id = g.version_id
    cross join lateral (select coalesce((v.document ->> 'manualMinutes')::int, 0) as minutes) x`.execute(db);
  return rows[0] ?? { manualMs: 0, activeMs: 0 };
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
