import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import { API_KEY_SCOPES, type ApiKeyScope } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';

const PAGE: ListExtent = { size: 50, counted: true };
const STATES = ['active', 'expired', 'revoked'] as const;
/** One's own keys, or for admins everyone's. */
export type WhoseKeys = 'own' | 'all';
const LISTS: Record<WhoseKeys, ListAddress> = {
  own: { name: 'keys', path: href('/dashboard/account/api-keys'), params: ['state', 'sort'] },
  all: { name: 'allKeys', path: href('/dashboard/admin/api-keys'), params: ['state', 'sort'] },
};
const ORDERS = {
  name: { by: sql`k.name`, as: 'text' },
  owner: { by: sql`m.name`, as: 'text' },
  created: { by: sql`k.created_at`, as: 'timestamptz' },
  expires: { by: sql`coalesce(k.expires_at, '9999-12-31Z')`, as: 'timestamptz' },
  used: { by: sql`coalesce(k.last_used_at, '0001-01-01Z')`, as: 'timestamptz' },
} as const;

export type ListedKey = {
  id: string;
  name: string;
  /** The first signs of the key, to tell it by. */
  prefix: string;
  owner: string;
  scopes: ApiKeyScope[];
  /** CIDR; none: from everywhere. */
  networks: string[];
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  state: (typeof STATES)[number];
};
type Row = Pick<ListedKey, 'id' | 'name' | 'prefix' | 'owner' | 'state' | 'networks'> & {
  scopes: string[];
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  key: string;
};
type Context = Readonly<RouterContextProvider>;

/** Keys of the current workspace: never a hash. */
export async function loadKeyList({ url, context }: { url: URL; context: Context }, whose: WhoseKeys) {
  return { workspace: shownWorkspaceName(context), whose, ...(await readKeys(context, whose, url.searchParams)) };
}
export type LoadedKeyList = Awaited<ReturnType<typeof loadKeyList>>;

const COLUMNS: readonly CsvColumn<ListedKey>[] = [
  ['key_id', (row) => row.id],
  ['name', (row) => row.name],
  ['prefix', (row) => row.prefix],
  ['owner', (row) => row.owner, 'owner'],
  ['scopes', (row) => row.scopes.join(' '), 'scopes'],
  ['networks', (row) => row.networks.join(' '), 'scopes'],
  ['state', (row) => row.state, 'state'],
  ['created_at', (row) => row.createdAt, 'created'],
  ['expires_at', (row) => row.expiresAt, 'expires'],
  ['last_used_at', (row) => row.lastUsedAt, 'used'],
];

export async function downloadKeys(whose: WhoseKeys, context: Context, url: URL): Promise<Response> {
  const { keys, list } = await readKeys(context, whose, url.searchParams, FILE);
  return csvResponse(list.name, writeListCsv(COLUMNS, keys, list.hidden));
}

async function readKeys(context: Context, whose: WhoseKeys, params: URLSearchParams, extent = PAGE) {
  const { member, read } = context.get(memberContext);
  if (whose === 'all' && !can(member.roles, 'manageMembers')) throw data({ code: 'forbidden' }, { status: 403 });
  const now = context.get(servicesContext).now();
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const state = sql`case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${now}::timestamptz then 'expired' else 'active' end`;
  const meant = sql`from quorate.api_keys k join quorate.members m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.workspace_id = ${who.workspaceId} and ${whose === 'all' ? sql`true` : sql`k.user_id = ${who.userId}`}`;
  const { list, rows } = await read((db) =>
    readListPage(db, {
      who,
      address: LISTS[whose],
      params,
      orders: ORDERS,
      sort: { by: 'created', descending: true },
      id: sql`k.id`,
      facets: { state: { values: sql`array[${state}]`, chosen: chosenOf(STATES, params, 'state') } },
      counted: meant,
      extent,
      page: ({ key, where, order, limit }) => sql<Row>`
        select k.id, k.name, k.prefix, k.scopes, k.networks, k.created_at, k.expires_at, k.last_used_at, m.name as owner, ${state} as state, ${key} as key
        ${meant} and ${where} order by ${order} limit ${limit}`,
    }),
  );
  return {
    list,
    keys: rows.map(
      (row): ListedKey => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        owner: row.owner,
        scopes: API_KEY_SCOPES.filter((scope) => row.scopes.includes(scope)),
        networks: row.networks,
        createdAt: row.created_at.toISOString(),
        expiresAt: row.expires_at?.toISOString() ?? null,
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        state: row.state,
      }),
    ),
  };
}
