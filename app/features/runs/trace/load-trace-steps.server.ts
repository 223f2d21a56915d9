import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Risk, RunStatus } from '#app/contracts/statuses.ts';
import { stepStatusIn } from '#app/domain/runs/run-status.ts';
import { loopItemsOf, type RunStep, usageOf } from '#app/features/runs/load-run-steps.server.ts';

/** A step as the trace of its run shows it: without its values, and without what decided on it. */
export type TraceStep = Pick<
  RunStep,
  'path' | 'kind' | 'name' | 'status' | 'attempt' | 'protocol' | 'reason' | 'usage' | 'startedAt' | 'finishedAt' | 'task' | 'items'
> & {
  /** Taken over from an earlier run, in which it happened. */
  kept: boolean;
  /** When approvals were waited for, in milliseconds since 1970; `until` null: one still is. */
  waits: { from: number; until: number | null }[];
  /** The approval that it waits for, and why it asks. */
  pending: { approval: string; risk: Risk; reason: Explanation } | null;
};

/**
 * The steps of a run as they are in its journal, in the order of their start. `within`: those of one item of a loop, by the item's path; null:
 * those outside all loops, however many items there are.
 */
export async function loadTraceSteps(db: Db, run: { id: string; status: RunStatus }, within: string | null): Promise<TraceStep[]> {
  const rows = await db
    .selectFrom('quorate.steps as s')
    .leftJoin('quorate.human_tasks as h', (join) => join.onRef('h.run_id', '=', 's.run_id').onRef('h.step_path', '=', 's.path'))
    .where('s.run_id', '=', run.id)
    .where('s.within', within === null ? 'is' : '=', within)
    .where('s.item_index', 'is', null)
    .orderBy('s.position')
    .select(['s.path', 's.kind', 's.name', 's.status', 's.attempt', 's.protocol', 's.reason', 's.started_at', 's.finished_at'])
    .select(['s.tokens_in', 's.tokens_out', 's.cost_micros', 'h.id as task'])
    .execute();
  if (rows.length === 0) return [];
  const approvals = await db
    .selectFrom('quorate.approvals as a')
    .innerJoin('quorate.steps as s', (join) => join.onRef('s.run_id', '=', 'a.run_id').onRef('s.path', '=', 'a.step_path'))
    .where('a.run_id', '=', run.id)
    .where('s.within', within === null ? 'is' : '=', within)
    .orderBy('a.created_at')
    .select(['a.id', 'a.step_path', 'a.status', 'a.risk', 'a.reason', 'a.created_at', 'a.decided_at', 's.finished_at'])
    .execute();
  const items = await loopItemsOf(db, run.id, rows);
  return rows.map((row): TraceStep => {
    const asked = approvals.filter(({ step_path }) => step_path === row.path);
    const pending = asked.findLast(({ status }) => status === 'pending');
    return {
      path: row.path,
      kind: row.kind,
      name: row.name,
      status: stepStatusIn(run.status, row.status),
      attempt: row.attempt,
      protocol: row.protocol,
      reason: row.reason,
      usage: usageOf(row),
      startedAt: row.started_at.toISOString(),
      finishedAt: row.finished_at?.toISOString() ?? null,
      task: row.task,
      items: items.get(row.path) ?? null,
      kept: row.reason?.key === 'stepKept',
      // One that was never decided ended with its step.
      waits: asked.map((one) => ({ from: one.created_at.getTime(), until: (one.decided_at ?? one.finished_at)?.getTime() ?? null })),
      pending: pending === undefined ? null : { approval: pending.id, risk: pending.risk, reason: pending.reason },
    };
  });
}
