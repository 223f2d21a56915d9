import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import { AppError } from '#app/domain/errors.ts';
import type { EventOf } from '#app/engine/commands/command.ts';

/**
 * Emergency stop, inside an admin's transaction: waits for the steps that are just starting, and none starts once this has
 * committed, by any path of entry. Calls under way end, and their results are kept.
 * @throws AppError `conflict` when it is halted already
 */
export async function haltWorkspace(
  db: Db,
  { workspaceId, memberId, now, reason = null }: { workspaceId: string; memberId: string; now: Date; reason?: string | null },
): Promise<EventOf<'workspace.halted'>> {
  await sql`select pg_advisory_xact_lock(quorate.halt_lock(${workspaceId}))`.execute(db);
  const row = await db
    .updateTable('quorate.workspaces')
    .set({ halted_at: now, halted_by: memberId, halt_reason: reason })
    .where('id', '=', workspaceId)
    .where('halted_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conflict');
  return { action: 'workspace.halted', resource: { kind: 'workspace', id: workspaceId, name: row.name }, payload: { reason } };
}

/**
 * Lets work continue, inside an admin's transaction, where nobody else could approve it: the database refuses with QP005 where someone
 * could. Every open run is woken, whatever it waits for.
 * @throws AppError `conflict` when it is not halted
 */
export async function releaseWorkspace(
  db: Db,
  deps: Pick<Engine, 'enqueueRun'>,
  { workspaceId, reason = null }: { workspaceId: string; reason?: string | null },
): Promise<EventOf<'workspace.released'>> {
  const row = await db
    .updateTable('quorate.workspaces')
    .set({ halted_at: null, halted_by: null, halt_reason: null })
    .where('id', '=', workspaceId)
    .where('halted_at', 'is not', null)
    .returning('name')
    .executeTakeFirst();
  if (row === undefined) throw new AppError('conflict');
  return {
    action: 'workspace.released',
    resource: { kind: 'workspace', id: workspaceId, name: row.name },
    payload: { reason, openRuns: await wakeOpenRuns(db, deps, workspaceId) },
  };
}

/** Queues every run that is not over, in the transaction that lifted the halt. Returns how many. */
export async function wakeOpenRuns(db: Db, deps: Pick<Engine, 'enqueueRun'>, workspaceId: string): Promise<number> {
  const open = await db
    .selectFrom('quorate.runs')
    .where('workspace_id', '=', workspaceId)
    .where('status', 'in', ['pending', 'processing', 'waiting'])
    .select('id')
    .execute();
  // there may be thousands: they take their turn
  for (const run of open) await deps.enqueueRun(db, { id: run.id, workspaceId }, { starts: true });
  return open.length;
}
