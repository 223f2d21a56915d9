import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';

/** One row of the list, with the figures as they are defined for the whole product: test runs never count. */
export type WorkflowRow = {
  id: string;
  name: string;
  description: string;
  status: ArtifactStatus;
  mine: boolean;
  lastRunAt: string | null;
  executions: number;
  /** Completed ÷ (completed + failed), 0 to 1; null before the first of either. */
  successRate: number | null;
  /** Mean active time of completed runs in ms; null before the first. */
  averageActiveMs: number | null;
};

export const WORKFLOW_PAGE_SIZE = 50;

/** The workflows that the member may see, newest change first; `page` counts from 1. */
export async function loadWorkflowList(
  db: Db,
  options: { userId: string; mine: boolean; status: ArtifactStatus | null; query: string; page: number },
): Promise<{ rows: WorkflowRow[]; total: number }> {
  let base = db.selectFrom('quorate.artifacts as a').where('a.kind', '=', 'workflow').where('a.deleted_at', 'is', null);
  if (options.mine) base = base.where('a.owner_id', '=', options.userId);
  if (options.status !== null) base = base.where('a.status', '=', options.status);
  if (options.query !== '') base = base.where(sql<boolean>`strpos(lower(a.name || ' ' || a.description), lower(${options.query})) > 0`);
  const { total } = await base.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  // The page first: for rows that it leaves out no figures are counted.
  const page = base
    .select(['a.id', 'a.name', 'a.description', 'a.status', 'a.owner_id', 'a.updated_at'])
    .orderBy('a.updated_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(WORKFLOW_PAGE_SIZE)
    .offset((options.page - 1) * WORKFLOW_PAGE_SIZE);
  const rows = await db
    .selectFrom(page.as('a'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('quorate.runs as r')
          .whereRef('r.artifact_id', '=', 'a.id')
          .where('r.mode', '=', 'live')
          .select([
            sql<Date | null>`max(r.created_at)`.as('last_run_at'),
            sql<number>`count(*)`.as('executions'),
            sql<
              number | null
            >`(count(*) filter (where r.status = 'completed'))::float8 / nullif(count(*) filter (where r.status in ('completed', 'failed')), 0)`.as(
              'success_rate',
            ),
            sql<
              number | null
            >`(avg(date_part('epoch', r.finished_at - r.started_at) * 1000 - r.waiting_ms) filter (where r.status = 'completed'))::float8`.as(
              'active_ms',
            ),
          ])
          .as('f'),
      (join) => join.onTrue(),
    )
    .select(['a.id', 'a.name', 'a.description', 'a.status', 'a.owner_id', 'f.last_run_at', 'f.executions', 'f.success_rate', 'f.active_ms'])
    .orderBy('a.updated_at', 'desc')
    .orderBy('a.id', 'desc')
    .execute();
  return {
    total,
    rows: rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      status: row.status,
      mine: row.owner_id === options.userId,
      lastRunAt: row.last_run_at?.toISOString() ?? null,
      executions: row.executions ?? 0,
      successRate: row.success_rate,
      averageActiveMs: row.active_ms === null ? null : Math.max(0, Math.round(row.active_ms)),
    })),
  };
}
