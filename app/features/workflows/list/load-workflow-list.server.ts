import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { ARTIFACT_STATUSES, type ArtifactStatus } from '#app/contracts/statuses.ts';
import { chosenOf, type ListExtent, type ListStatement, readListPage } from '#app/engine/lists/read-list-page.ts';
import { WORKFLOWS } from '#app/features/workflows/list/workflow-list-address.ts';

/** One row of the list, with the figures as they are defined for the whole product: test runs never count. */
export type WorkflowRow = {
  id: string;
  name: string;
  description: string;
  status: ArtifactStatus;
  lastRunAt: string | null;
  executions: number;
  /** Completed ÷ (completed + failed), 0 to 1; null before the first of either. */
  successRate: number | null;
  /** Mean active time of completed runs in ms; null before the first. */
  averageActiveMs: number | null;
};
type Figures = { last_run_at: Date | null; executions: number; success_rate: number | null; active_ms: number | null };
type Row = { id: string; name: string; description: string; status: ArtifactStatus; key: string } & Figures;

const PAGE: ListExtent = { size: 50, counted: true };

/** The figures of the workflow `a`. */
const FIGURES = sql`
  select max(r.created_at) as last_run_at, count(*)::int as executions,
    (count(*) filter (where r.status = 'completed'))::float8
      / nullif(count(*) filter (where r.status in ('completed', 'failed')), 0) as success_rate,
    round(avg(date_part('epoch', r.finished_at - r.started_at) * 1000 - r.waiting_ms) filter (where r.status = 'completed')) as active_ms
  from quorate.runs r where r.artifact_id = a.id and r.mode = 'live'`;

const ORDERS = {
  updated: { by: sql`a.updated_at`, as: 'timestamptz' },
  name: { by: sql`a.name`, as: 'text' },
  status: { by: sql`a.status`, as: 'text' },
  lastRun: { by: sql`coalesce(f.last_run_at, timestamptz 'epoch')`, as: 'timestamptz' },
  executions: { by: sql`f.executions`, as: 'float8' },
  successRate: { by: sql`coalesce(f.success_rate, -1)`, as: 'float8' },
  duration: { by: sql`coalesce(f.active_ms, -1)`, as: 'float8' },
} as const;
const PLAIN: readonly string[] = ['updated', 'name', 'status'];

type Asked = { workspaceId: string; userId: string; params: URLSearchParams; query?: string; extent?: ListExtent };

/**
 * The workflows that the member may see, by the filters and in the order of the address; the newest change first without one. `query`: the
 * words that are searched for, as the database stores them.
 */
export async function loadWorkflowList(db: Db, { workspaceId, userId, params, query = '', extent = PAGE }: Asked) {
  const meant = sql`a.workspace_id = ${workspaceId} and a.kind = 'workflow' and a.deleted_at is null
    and (${query} = '' or strpos(lower(a.name || ' ' || a.description), lower(${query})) > 0)`;
  const { list, rows } = await readListPage(db, {
    who: { workspaceId, userId },
    address: WORKFLOWS,
    params,
    orders: ORDERS,
    sort: { by: 'updated', descending: true },
    id: sql`a.id`,
    facets: {
      status: { values: sql`array[a.status]`, chosen: chosenOf(ARTIFACT_STATUSES, params, 'status') },
      owner: {
        values: sql`array[case when a.owner_id = ${userId} then 'me' else 'others' end]`,
        chosen: chosenOf(['me', 'others'], params, 'owner'),
      },
    },
    counted: sql`from quorate.artifacts a where ${meant}`,
    extent,
    page: (parts) => withFigures(meant, parts),
  });
  return {
    list,
    rows: rows.map(
      (row): WorkflowRow => ({
        id: row.id,
        name: row.name,
        description: row.description,
        status: row.status,
        lastRunAt: row.last_run_at?.toISOString() ?? null,
        executions: row.executions,
        successRate: row.success_rate,
        averageActiveMs: row.active_ms === null ? null : Math.max(0, row.active_ms),
      }),
    ),
  };
}

/** The page first: for rows that it leaves out no figures are counted, unless the list is ordered by one of them. */
function withFigures(meant: RawBuilder<unknown>, { by, key, where, order, limit }: ListStatement) {
  const page = (figures: RawBuilder<unknown>, of: RawBuilder<unknown>) => sql<Row>`
    select a.id, a.name, a.description, a.status, a.updated_at, ${key} as key ${figures} from quorate.artifacts a ${of}
    where ${meant} and ${where} order by ${order} limit ${limit}`;
  return PLAIN.includes(by)
    ? sql<Row>`select a.*, f.* from (${page(sql``, sql``)}) a cross join lateral (${FIGURES}) f order by ${order}`
    : page(sql`, f.*`, sql`cross join lateral (${FIGURES}) f`);
}
