import { type RawBuilder, sql } from 'kysely';

/**
 * The runs that figures count. `own`: the member sees no others; naming the member in the statement finds their runs without reading
 * everyone's.
 */
export type RunScope = { workspaceId: string; own: string | null };
type Stretch = { from: Date; until: Date };

/** Runs that figures are made from, at most: the newest of a window. Beyond, a window says that it shows a part. */
export const RUNS_COUNTED = 25_000;
/** The same for figures of single steps, of which a run has many. */
export const RUNS_LOOKED_INTO = 1_000;

/** The note of a page whose window holds more rows than it shows; null where it shows all. */
export type WindowPart = { counted: number | null; lookedInto: number | null };
export function partOf({ counted, lookedInto }: { counted: number; lookedInto: number }): WindowPart {
  return {
    counted: counted >= RUNS_COUNTED ? RUNS_COUNTED : null,
    lookedInto: lookedInto >= RUNS_LOOKED_INTO ? RUNS_LOOKED_INTO : null,
  };
}

/** Active time of a finished run, in milliseconds: the whole time without its waits. */
export const ACTIVE_MS = sql<number>`greatest(0, date_part('epoch', r.finished_at - r.started_at) * 1000 - r.waiting_ms)`;

/** Whether a step is being executed: one whose run waits, for a person or for a time, waits with it. */
export const isBusy = (step: string) =>
  sql<boolean>`(${sql.ref(`${step}.status`)} = 'processing' and not exists (select from quorate.runs w where w.id = ${sql.ref(`${step}.run_id`)} and w.status = 'waiting'))`;

/** How long an ended step waited for people, itself or what stands inside it, in milliseconds. */
export const waitedMs = (step: string) => {
  const of = (column: string) => sql.ref(`${step}.${column}`);
  return sql<number>`case when ${of('approval_id')} is null and ${of('agent_id')} is null then 0 else (
    select coalesce(sum(greatest(0, date_part('epoch', coalesce(p.decided_at, i.finished_at) - p.created_at) * 1000)), 0)
    from quorate.steps i join quorate.approvals p on p.id = i.approval_id
    where i.run_id = ${of('run_id')} and (i.path = ${of('path')} or starts_with(i.path, ${of('path')} || '/'))) end`;
};

/** The newest live runs that started in a stretch of time, as `r`. Answered by one index alone. */
export function liveRuns(
  { workspaceId, own }: RunScope,
  { from, until }: Stretch,
  most = RUNS_COUNTED,
  workflowId: string | null = null,
): RawBuilder<unknown> {
  return sql`(
    select n.id, n.artifact_id, n.version_id, n.status, n.created_at, n.started_at, n.finished_at, n.waiting_ms from quorate.runs n
    where n.workspace_id = ${workspaceId} ${own === null ? sql`` : sql`and n.initiator_id = ${own}`} ${workflowId === null ? sql`` : sql`and n.artifact_id = ${workflowId}`} and n.mode = 'live' and n.created_at >= ${from} and n.created_at < ${until}
    order by n.created_at desc, n.id desc limit ${most}) r`;
}
