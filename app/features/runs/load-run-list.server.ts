import { type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';

export type RunRow = {
  id: string;
  workflow: string;
  status: RunStatus;
  mode: 'live' | 'test';
  initiator: string | null;
  createdAt: string;
  activeMs: number | null;
};

export const RUN_PAGE_SIZE = 50;

/** Workflows to choose from, by name; no more than a choice can hold. */
export async function loadRunWorkflows(db: Db): Promise<{ id: string; name: string }[]> {
  return await db
    .selectFrom('quorate.artifacts')
    .where('kind', '=', 'workflow')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .limit(500)
    .select(['id', 'name'])
    .execute();
}

/**
 * Runs that the member may see, newest first. `before` is the id of the last row of the page before, so that every page costs the same; one
 * row more than a page is read to know whether there is a next. `own`: who sees no others, whose runs are found without passing everyone's.
 */
export async function loadRunList(
  db: Db,
  filter: { status: RunStatus | null; workflow: string | null; before: string | null; own: string | null },
): Promise<{ rows: RunRow[]; next: string | null }> {
  let query = db
    .selectFrom('quorate.runs as r')
    .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
    );
  if (filter.status !== null) query = query.where('r.status', '=', filter.status);
  if (filter.workflow !== null) query = query.where('r.artifact_id', '=', filter.workflow);
  if (filter.own !== null) query = query.where('r.initiator_id', '=', filter.own);
  if (filter.before !== null)
    query = query.where(
      sql<SqlBool>`(r.created_at, r.id) < (select b.created_at, b.id from quorate.runs b where b.id = ${filter.before}::uuid)`,
    );
  const rows = await query
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(RUN_PAGE_SIZE + 1)
    .select([
      'r.id',
      'r.status',
      'r.mode',
      'r.created_at',
      'r.started_at',
      'r.finished_at',
      'r.waiting_ms',
      'a.name as workflow',
      'm.name as initiator',
    ])
    .execute();
  const page = rows.slice(0, RUN_PAGE_SIZE);
  return {
    next: rows.length > RUN_PAGE_SIZE ? (page.at(-1)?.id ?? null) : null,
    rows: page.map((row) => ({
      id: row.id,
      workflow: row.workflow ?? '',
      status: row.status,
      mode: row.mode,
      initiator: row.initiator,
      createdAt: row.created_at.toISOString(),
      activeMs:
        row.started_at === null || row.finished_at === null
          ? null
          : Math.max(0, row.finished_at.getTime() - row.started_at.getTime() - row.waiting_ms),
    })),
  };
}
