import type { Log } from '#app/contracts/ports.ts';
import { createMarkWatcher, type MarkWatcher } from '#app/engine/jobs/mark-watcher.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

const INTERVAL_MS = 1000;

/** Tells the reader of a dashboard that a run of the workspace has started or ended, something waits, or the log has grown. */
export function createDeskWatcher({ statement, log }: { statement: Statement; log: Log }): MarkWatcher<{ workspaceId: string }> {
  return createMarkWatcher({
    name: 'desks',
    log,
    intervalMs: INTERVAL_MS,
    keyOf: ({ workspaceId }) => workspaceId,
    async readMarks(desks) {
      const { rows } = await statement({
        name: 'q_desks',
        text: 'select workspace_id, mark from quorate.list_desk_marks($1)',
        values: [desks.map(({ workspaceId }) => workspaceId)],
      });
      return new Map((rows as { workspace_id: string; mark: string }[]).map((row) => [row.workspace_id, row.mark]));
    },
  });
}
