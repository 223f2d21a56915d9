import type { Log } from '#app/contracts/ports.ts';
import { createMarkWatcher, type MarkWatcher } from '#app/engine/jobs/mark-watcher.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

const INTERVAL_MS = 1000;

/** A session of a person, in a workspace. */
export type AccessRef = { userId: string; sessionId: string; workspaceId: string };

/** Tells an open stream that its reader's session may have ended, or their roles may have changed; the first look tells everyone once. */
export function createAccessWatcher({ statement, log }: { statement: Statement; log: Log }): MarkWatcher<AccessRef> {
  return createMarkWatcher({
    name: 'sessions',
    log,
    intervalMs: INTERVAL_MS,
    keyOf: (access: AccessRef) => `${access.sessionId} ${access.workspaceId}`,
    async readMarks(all) {
      const { rows } = await statement({
        name: 'q_access',
        text: 'select session_id, workspace_id, mark from quorate.list_access_marks($1, $2, $3)',
        values: [all.map((one) => one.userId), all.map((one) => one.sessionId), all.map((one) => one.workspaceId)],
      });
      const marks = rows as { session_id: string; workspace_id: string; mark: string }[];
      return new Map(marks.map((row) => [`${row.session_id} ${row.workspace_id}`, row.mark]));
    },
  });
}
