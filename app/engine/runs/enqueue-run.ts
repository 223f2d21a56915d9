import { CompiledQuery, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import { RUN_CHANNEL, type RunQueue } from '#app/domain/runs/run-queue.ts';

/**
 * Puts a run into the queue inside the caller's transaction. A member has no right on the queue's tables: the login's own
 * role writes the job, then the transaction is the member's again.
 */
export function createEnqueueRun(queue: RunQueue): Engine['enqueueRun'] {
  return async (db, run, options) => enqueueRuns(queue, db, [run], options);
}

export async function enqueueRuns(
  queue: RunQueue,
  db: Db,
  runs: readonly { id: string; workspaceId: string }[],
  options: { starts?: boolean } = {},
): Promise<void> {
  if (runs.length === 0) return;
  const before = await sql<{ role: string }>`select current_setting('role') as role, set_config('role', 'none', true)`.execute(db);
  await queue.send(
    runs.map((run) => ({ runId: run.id, workspaceId: run.workspaceId })),
    { within: (text, values) => db.executeQuery(CompiledQuery.raw(text, [...values])), quiet: true, ...options },
  );
  await sql`select set_config('role', ${before.rows[0]?.role ?? 'none'}, true), pg_notify(${RUN_CHANNEL}, '')`.execute(db);
}
