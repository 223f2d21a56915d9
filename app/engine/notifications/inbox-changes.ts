import type { Log } from '#app/contracts/ports.ts';
import { createMarkWatcher, type MarkWatcher } from '#app/engine/jobs/mark-watcher.ts';
import type { Statement } from '#app/engine/runs/run-store.ts';

const INTERVAL_MS = 1000;

/** A person's inbox in one workspace. */
export type InboxRef = { userId: string; workspaceId: string };

/** Tells the reader of an open page that their inbox has something new, was read elsewhere, or has a decision waiting. */
export function createInboxWatcher({ statement, log }: { statement: Statement; log: Log }): MarkWatcher<InboxRef> {
  const keyOf = (inbox: InboxRef) => `${inbox.workspaceId} ${inbox.userId}`;
  return createMarkWatcher({
    name: 'inboxes',
    log,
    intervalMs: INTERVAL_MS,
    keyOf,
    async readMarks(inboxes) {
      const { rows } = await statement({
        name: 'q_inboxes',
        text: 'select user_id, workspace_id, mark from quorate.list_inbox_marks($1, $2)',
        values: [inboxes.map((inbox) => inbox.workspaceId), inboxes.map((inbox) => inbox.userId)],
      });
      const marks = rows as { user_id: string; workspace_id: string; mark: string }[];
      return new Map(marks.map((row) => [keyOf({ userId: row.user_id, workspaceId: row.workspace_id }), row.mark]));
    },
  });
}
