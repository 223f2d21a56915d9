import { CompiledQuery } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Engine } from '#app/contracts/engine.ts';
import type { RunQueue } from '#app/domain/runs/run-queue.ts';

/** Puts a run into the queue inside the caller's transaction. */
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
  await queue.send(
    runs.map((run) => ({ runId: run.id, workspaceId: run.workspaceId })),
    { ...options, within: (text, values) => db.executeQuery(CompiledQuery.raw(text, [...values])) },
  );
}
