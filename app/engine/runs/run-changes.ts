import type { Log } from '#app/domain/ports.ts';
import type { RunRef } from '#app/domain/run-queue.ts';
import { createMarkWatcher, type MarkWatcher } from '#app/engine/jobs/mark-watcher.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

const INTERVAL_MS = 400;

export type RunWatcher = MarkWatcher<RunRef>;

/** Tells who watches a run that its journal has changed. */
export function createRunWatcher({
  statement,
  log,
  intervalMs = INTERVAL_MS,
}: {
  statement: Statement;
  log: Log;
  intervalMs?: number;
}): RunWatcher {
  return createMarkWatcher({
    name: 'runs',
    log,
    intervalMs,
    keyOf: (run: RunRef) => run.runId,
    async readMarks(runs) {
      const { rows } = await statement({
        name: 'q_changes',
        text: 'select run_id, mark from quorate.list_run_marks($1, $2)',
        values: [runs.map((run) => run.workspaceId), runs.map((run) => run.runId)],
      });
      return new Map((rows as { run_id: string; mark: string }[]).map((row) => [row.run_id, row.mark]));
    },
  });
}
