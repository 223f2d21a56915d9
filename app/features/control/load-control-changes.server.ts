import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { changeName } from '#app/engine/control/change-name.ts';
import { secondPersonAgrees } from '#app/engine/control/request-control-change.ts';
import { requireControlReader } from '#app/features/control/require-reader.server.ts';

/** So many closed changes are listed; the audit log has them all. */
const SHOWN_CLOSED = 100;

/** Control changes: all that wait, the oldest first, then the newest that are decided. */
export async function loadControlChanges({ context }: { context: Readonly<RouterContextProvider> }) {
  requireControlReader({ context });
  const { member, read } = context.get(memberContext);
  const rows = await read(async (db) => {
    const all = db
      .selectFrom('quorate.control_changes as c')
      .leftJoin('quorate.members as r', (join) =>
        join.onRef('r.user_id', '=', 'c.requested_by').onRef('r.workspace_id', '=', 'c.workspace_id'),
      )
      .select(['c.id', 'c.kind', 'c.status', 'c.created_at', 'c.due_at', 'c.decided_at', 'r.name as requester', changeName.as('name')])
      .where('c.workspace_id', '=', member.workspace.id);
    const open = await all.where('c.status', 'in', ['pending', 'emergency']).orderBy('c.created_at').orderBy('c.id').execute();
    const closed = await all
      .where('c.status', 'not in', ['pending', 'emergency'])
      .orderBy('c.created_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(SHOWN_CLOSED)
      .execute();
    return { open, closed, secondPerson: await secondPersonAgrees(db) };
  });
  const shown = (row: (typeof rows.open)[number]) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    name: row.name,
    requestedBy: row.requester ?? '',
    at: row.created_at.toISOString(),
    dueAt: row.due_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  });
  return inReadersLanguage(context, { open: rows.open.map(shown), closed: rows.closed.map(shown), secondPerson: rows.secondPerson });
}
export type LoadedControlChanges = Awaited<ReturnType<typeof loadControlChanges>>;
