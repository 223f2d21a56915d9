import { sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { cutPage, readNamedKey } from '#app/domain/connections/named-key.ts';
import { can } from '#app/domain/people/roles.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { isServiceKind } from '#app/features/connections/connection-area.ts';

const PAGE_SIZE = 50;

/** The connections of one protocol, each with its capabilities and how many of them need someone. */
export async function loadConnectionList({
  context,
  url,
  kind,
}: {
  context: Readonly<RouterContextProvider>;
  url: URL;
  kind: Exclude<ConnectionKind, 'a2a'>;
}) {
  const { member, read } = context.get(memberContext);
  const after = readNamedKey(url.searchParams.get('after'));
  const { rows, builtin } = await read(async (db) => ({
    builtin: await db
      .selectFrom('quorate.connections')
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', '=', kind)
      .where('deleted_at', 'is', null)
      .where('endpoint', 'in', Object.keys(BUILTIN_PATHS))
      .select('id')
      .executeTakeFirst(),
    rows: await db
      .selectFrom('quorate.connections as n')
      .leftJoin('quorate.capabilities as c', (join) => join.onRef('c.connection_id', '=', 'n.id').on('c.removed_at', 'is', null))
      .where('n.workspace_id', '=', member.workspace.id)
      // Integrations offer tools too: Plugins list them beside the MCP servers.
      .where('n.kind', 'in', kind === 'mcp' ? ['mcp', 'app'] : [kind])
      .where('n.deleted_at', 'is', null)
      .groupBy('n.id')
      .orderBy('n.name')
      .orderBy('n.id')
      .$if(after !== null, (list) => list.where(sql<boolean>`(n.name, n.id) > (${after?.name}, ${after?.id}::uuid)`))
      .limit(PAGE_SIZE + 1)
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
  }));
  const { shown, next } = cutPage(rows, PAGE_SIZE);
  return {
    kind,
    next,
    url: `${url.pathname}${url.search}`,
    mayConnect: can(member.roles, 'connect'),
    builtinMissing: !isServiceKind(kind) && builtin === undefined,
    connections: shown.map((row) => ({
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
