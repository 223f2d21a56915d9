import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { may } from '#app/domain/roles.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { type ConnectionKind, isServiceKind } from '#app/features/connections/connection-area.ts';
import { memberContext } from '#app/request-context.ts';

const MAX_LISTED = 500;

/** The connections of one protocol, each with what it offers and how much of that waits for somebody. */
export async function loadConnectionList({
  context,
  kind,
}: {
  context: Readonly<RouterContextProvider>;
  kind: Exclude<ConnectionKind, 'a2a'>;
}) {
  const { member, read } = context.get(memberContext);
  const rows = await read((db) =>
    db
      .selectFrom('quorate.connections as n')
      .leftJoin('quorate.capabilities as c', (join) => join.onRef('c.connection_id', '=', 'n.id').on('c.removed_at', 'is', null))
      .where('n.workspace_id', '=', member.workspace.id)
      // Integrations offer tools too: Plugins list them beside the MCP servers.
      .where('n.kind', 'in', kind === 'mcp' ? ['mcp', 'app'] : [kind])
      .where('n.deleted_at', 'is', null)
      .groupBy('n.id')
      .orderBy('n.name')
      .orderBy('n.id')
      .limit(MAX_LISTED)
      .select([
        'n.id',
        'n.name',
        'n.kind',
        'n.endpoint',
        'n.status',
        'n.last_check_at',
        'n.personal_data_allowed',
        sql<number>`count(c.id)`.as('offered'),
        sql<number>`count(c.id) filter (where c.approved_fingerprint is null)`.as('pending'),
        sql<number>`count(c.id) filter (where c.approved_fingerprint <> c.fingerprint)`.as('changed'),
      ])
      .execute(),
  );
  return {
    kind,
    mayConnect: may(member.roles, 'connect'),
    builtinMissing: !isServiceKind(kind) && !rows.some((row) => row.endpoint in BUILTIN_PATHS),
    connections: rows.map((row) => ({
      id: row.id,
      name: row.name,
      kind: row.kind,
      address: row.endpoint in BUILTIN_PATHS ? null : row.endpoint,
      status: row.status,
      offered: row.offered,
      pending: row.pending,
      changed: row.changed,
      personalDataAllowed: row.personal_data_allowed,
      lastCheckAt: row.last_check_at?.toISOString() ?? null,
    })),
  };
}
export type LoadedConnectionList = Awaited<ReturnType<typeof loadConnectionList>>;
