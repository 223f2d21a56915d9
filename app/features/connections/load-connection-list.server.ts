import { type RawBuilder, sql } from 'kysely';
import type { RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { ConnectionKind } from '#app/contracts/connection-kind.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { CONNECTION_STATUSES, type ConnectionStatus } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, type ListStatement, readListPage } from '#app/engine/lists/read-list-page.ts';
import { CONNECTION_AREAS, isServiceKind } from '#app/features/connections/connection-area.ts';

const PAGE: ListExtent = { size: 50, counted: true };

type Context = Readonly<RouterContextProvider>;
type Kind = Exclude<ConnectionKind, 'a2a'>;
type Row = {
  id: string;
  name: string;
  kind: Kind;
  endpoint: string;
  status: ConnectionStatus;
  last_check_at: Date | null;
  personal_data_allowed: boolean;
  offered: number;
  pending: number;
  changed: number;
  key: string;
};

const NAMES: Record<Kind, string> = { mcp: 'plugins', app: 'integrations', model: 'models' };
const listOf = (kind: Kind): ListAddress => ({
  name: NAMES[kind],
  path: CONNECTION_AREAS[kind].base,
  params: ['q', 'status', ...(kind === 'mcp' ? ['kind'] : []), 'sort'],
});

const ORDERS = {
  name: { by: sql`n.name`, as: 'text' },
  status: { by: sql`n.status`, as: 'text' },
  offered: { by: sql`c.offered`, as: 'float8' },
  pending: { by: sql`c.pending`, as: 'float8' },
  changed: { by: sql`c.changed`, as: 'float8' },
  lastCheck: { by: sql`coalesce(n.last_check_at, timestamptz 'epoch')`, as: 'timestamptz' },
} as const;

/** The connections of one protocol, each with its capabilities and how many of them need someone. */
export async function loadConnectionList({ context, url, kind }: { context: Context; url: URL; kind: Kind }) {
  const { member, read } = context.get(memberContext);
  const { builtin, ...listed } = await read(async (db) => ({
    ...(await readConnections(db, context, url.searchParams, kind)),
    builtin: await db
      .selectFrom('quorate.connections')
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', '=', kind)
      .where('deleted_at', 'is', null)
      .where('endpoint', 'in', Object.keys(BUILTIN_PATHS))
      .select('id')
      .executeTakeFirst(),
  }));
  return {
    kind,
    ...listed,
    connections: inReadersLanguage(context, listed.connections),
    mayConnect: can(member.roles, 'connect'),
    builtinMissing: !isServiceKind(kind) && builtin === undefined,
  };
}
export type LoadedConnectionList = Awaited<ReturnType<typeof loadConnectionList>>;
export type ConnectionRow = LoadedConnectionList['connections'][number];

const COLUMNS: readonly CsvColumn<ConnectionRow>[] = [
  ['connection_id', (row) => row.id],
  ['name', (row) => row.name],
  ['kind', (row) => row.kind],
  ['address', (row) => row.address],
  ['status', (row) => row.status, 'status'],
  ['offered', (row) => row.offered, 'offered'],
  ['pending', (row) => row.pending, 'pending'],
  ['changed', (row) => row.changed, 'changed'],
  ['personal_data', (row) => (row.personalDataAllowed ? 'allowed' : 'forbidden'), 'personalData'],
  ['last_check_at', (row) => row.lastCheckAt, 'lastCheck'],
];

export async function downloadConnections(kind: Kind, context: Context, url: URL): Promise<Response> {
  const { connections, list } = await context.get(memberContext).read((db) => readConnections(db, context, url.searchParams, kind, FILE));
  return csvResponse(list.name, writeListCsv(COLUMNS, connections, list.hidden));
}

const SHOWN = sql`n.id, n.name, n.kind, n.endpoint, n.status, n.last_check_at, n.personal_data_allowed`;
const COUNTED: readonly string[] = ['offered', 'pending', 'changed'];

/** The page is found in the connections alone, by an index where they are in the order of their names; then the capabilities of its rows are counted. */
const byOwnColumn = (meant: RawBuilder<unknown>, { key, where, order, limit }: ListStatement) => sql<Row>`
  with n as (select ${SHOWN}, ${key} as key from quorate.connections n where ${meant} and ${where} order by ${order} limit ${limit})
  select n.*, c.* from n cross join lateral (
    select ${COUNTS} from quorate.capabilities c where c.connection_id = n.id and c.removed_at is null) c
  order by ${order}`;

/** The capabilities of the workspace are counted once, and not for each of its connections. */
const byCapabilities = (meant: RawBuilder<unknown>, { key, where, order, limit }: ListStatement) => sql<Row>`
  select ${SHOWN}, c.offered, c.pending, c.changed, ${key} as key from quorate.connections n
  left join (select c.connection_id, ${COUNTS} from quorate.capabilities c where c.removed_at is null group by 1) k on k.connection_id = n.id
  cross join lateral (
    select coalesce(k.offered, 0) as offered, coalesce(k.pending, 0) as pending, coalesce(k.changed, 0) as changed) c
  where ${meant} and ${where} order by ${order} limit ${limit}`;

const COUNTS = sql`count(*)::int as offered, (count(*) filter (where c.approved_fingerprint is null))::int as pending,
  (count(*) filter (where c.approved_fingerprint <> c.fingerprint))::int as changed`;

async function readConnections(db: Db, context: Context, params: URLSearchParams, kind: Kind, extent = PAGE) {
  const { member } = context.get(memberContext);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const query = readSearchWords(params.get('q')).words;
  // Integrations offer tools too: Plugins list them beside the MCP servers.
  const kinds: Kind[] = kind === 'mcp' ? ['mcp', 'app'] : [kind];
  const meant = sql`n.workspace_id = ${who.workspaceId} and n.deleted_at is null
    and ${kind === 'mcp' ? sql`n.kind in ('mcp', 'app')` : sql`n.kind = ${kind}`}
    and (${query} = '' or strpos(lower(n.name || ' ' || n.endpoint), lower(${query})) > 0)`;
  const { list, rows } = await readListPage(db, {
    who,
    address: listOf(kind),
    params,
    orders: ORDERS,
    sort: { by: 'name', descending: false },
    id: sql`n.id`,
    facets: {
      status: { value: sql`n.status`, chosen: chosenOf(CONNECTION_STATUSES, params, 'status') },
      kind: { value: sql`n.kind`, chosen: kind === 'mcp' ? chosenOf(kinds, params, 'kind') : '' },
    },
    counted: sql`from quorate.connections n where ${meant}`,
    extent,
    page: (page) => (COUNTED.includes(page.by) ? byCapabilities(meant, page) : byOwnColumn(meant, page)),
  });
  return {
    list,
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
