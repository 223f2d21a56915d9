import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import { AppError } from '#app/domain/errors.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import type { EventOf } from '#app/engine/commands/command.ts';

/**
 * Asks for the end of a run, inside a member's transaction. No step starts once this has committed; the step under way is
 * aborted, and a worker closes the run as cancelled. Throws AppError: not_found, forbidden, conflict when it is over or asked for already.
 */
export async function cancelRun(
  db: Db,
  deps: { enqueueRun: Engine['enqueueRun']; now?(): Date },
  { workspaceId, runId, memberId }: { workspaceId: string; runId: string; memberId: string },
): Promise<EventOf<'run.cancelRequested'>> {
  const run = await db
    .selectFrom('quorate.runs as r')
    .innerJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .where('r.id', '=', runId)
    .where('r.workspace_id', '=', workspaceId)
    .select(['r.status', 'r.cancel_requested_at', 'a.name'])
    .executeTakeFirst();
  if (run === undefined) throw new AppError('not_found');
  if (isTerminalRunStatus(run.status) || run.cancel_requested_at !== null) throw new AppError('conflict');
  const at = deps.now?.() ?? new Date();
  const updated = await db
    .updateTable('quorate.runs')
    .set({ cancel_requested_at: at, cancelled_by: memberId, updated_at: at })
    .where('id', '=', runId)
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['pending', 'processing', 'waiting'])
    .where('cancel_requested_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (updated === undefined) {
    const now = await db.selectFrom('quorate.runs').where('id', '=', runId).select(['status', 'cancel_requested_at']).executeTakeFirst();
    // someone else was quicker, or this member may see the run but not end it
    throw new AppError(
      now === undefined || (now.cancel_requested_at === null && !isTerminalRunStatus(now.status)) ? 'forbidden' : 'conflict',
    );
  }
  await deps.enqueueRun(db, { id: runId, workspaceId });
  return { action: 'run.cancelRequested', resource: { kind: 'run', id: runId, name: run.name } };
}
