import type { RouterContextProvider } from 'react-router';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import { memberContext } from '#app/contracts/request-context.ts';
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
      .leftJoin('quorate.artifacts as a', 'a.id', 'c.resource_id')
      .leftJoin('quorate.members as m', (join) =>
        join.onRef('m.user_id', '=', 'c.resource_id').onRef('m.workspace_id', '=', 'c.workspace_id'),
      )
      .leftJoin('quorate.members as r', (join) =>
        join.onRef('r.user_id', '=', 'c.requested_by').onRef('r.workspace_id', '=', 'c.workspace_id'),
      )
      .select(['c.id', 'c.kind', 'c.status', 'c.created_at', 'c.due_at', 'c.decided_at'])
      .leftJoin('quorate.workspaces as w', 'w.id', 'c.resource_id')
      .leftJoin('quorate.connections as n', 'n.id', 'c.resource_id')
      .select(['a.name as artifact', 'm.name as member', 'w.name as workspace', 'n.name as connection', 'r.name as requester'])
      .where('c.workspace_id', '=', member.workspace.id);
    const open = await all.where('c.status', '=', 'pending').orderBy('c.created_at').orderBy('c.id').execute();
    const closed = await all
      .where('c.status', '<>', 'pending')
      .orderBy('c.created_at', 'desc')
      .orderBy('c.id', 'desc')
      .limit(SHOWN_CLOSED)
      .execute();
    return { open, closed };
  });
  const shown = (row: (typeof rows.open)[number]) => ({
    id: row.id,
    kind: row.kind,
    status: row.status,
    name: row.artifact ?? row.member ?? row.workspace ?? row.connection ?? '',
    requestedBy: row.requester ?? '',
    at: row.created_at.toISOString(),
    dueAt: row.due_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  });
  return inReadersLanguage(context, { open: rows.open.map(shown), closed: rows.closed.map(shown) });
}
export type LoadedControlChanges = Awaited<ReturnType<typeof loadControlChanges>>;
