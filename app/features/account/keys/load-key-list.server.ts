import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { readSort } from '#app/components/data/table-sort.ts';
import { csvResponse, MOST_EXPORTED } from '#app/components/list/csv-response.server.ts';
import type { ListAddress } from '#app/components/list/list-address.ts';
import { loadListState } from '#app/components/list/list-state.server.ts';
import { shownWorkspaceName } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { API_KEY_SCOPES, type ApiKeyScope } from '#app/contracts/people.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { countFacets, type Facets, facetFilter } from '#app/engine/lists/list-facets.ts';
import { cutPage, placeInList } from '#app/engine/lists/list-place.ts';

const PAGE_SIZE = 50;
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
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  state: (typeof STATES)[number];
};
type Row = Pick<ListedKey, 'id' | 'name' | 'prefix' | 'owner' | 'state'> & {
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
  ['state', (row) => row.state, 'state'],
  ['created_at', (row) => row.createdAt, 'created'],
  ['expires_at', (row) => row.expiresAt, 'expires'],
  ['last_used_at', (row) => row.lastUsedAt, 'used'],
];

export async function downloadKeys(whose: WhoseKeys, context: Context, url: URL): Promise<Response> {
  const { keys, list } = await readKeys(context, whose, url.searchParams, MOST_EXPORTED);
  return csvResponse(list.name, writeListCsv(COLUMNS, keys, list.hidden));
}

async function readKeys(context: Context, whose: WhoseKeys, params: URLSearchParams, limit = PAGE_SIZE) {
  const { member, read } = context.get(memberContext);
  if (whose === 'all' && !can(member.roles, 'manageMembers')) throw data({ code: 'forbidden' }, { status: 403 });
  const now = context.get(servicesContext).now();
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const found = await read(async (db) => ({
    ...(await readPage(db, { ...who, whose, params, now, limit })),
    state: await loadListState(db, who, LISTS[whose], params),
  }));
  const { shown, next } = cutPage(found.rows, limit);
  return {
    list: { ...found.state, sort: found.sort, next, counts: found.counts },
    keys: shown.map(
      (row): ListedKey => ({
        id: row.id,
        name: row.name,
        prefix: row.prefix,
        owner: row.owner,
        scopes: API_KEY_SCOPES.filter((scope) => row.scopes.includes(scope)),
        createdAt: row.created_at.toISOString(),
        expiresAt: row.expires_at?.toISOString() ?? null,
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
        state: row.state,
      }),
    ),
  };
}

type Asked = { workspaceId: string; userId: string; whose: WhoseKeys; params: URLSearchParams; now: Date; limit: number };

async function readPage(db: Db, { workspaceId, userId, whose, params, now, limit }: Asked) {
  const sort = readSort(params, Object.keys(ORDERS) as (keyof typeof ORDERS)[], { by: 'created', descending: true });
  const place = placeInList(ORDERS, sort, sql`k.id`, params.get('after'));
  const state = sql`case when k.revoked_at is not null then 'revoked' when k.expires_at <= ${now}::timestamptz then 'expired' else 'active' end`;
  const facets: Facets = {
    state: { values: sql`array[${state}]`, chosen: STATES.find((one) => one === params.get('state')) ?? '' },
  };
  const meant = sql`from quorate.api_keys k join quorate.members m on m.workspace_id = k.workspace_id and m.user_id = k.user_id
    where k.workspace_id = ${workspaceId} and ${whose === 'all' ? sql`true` : sql`k.user_id = ${userId}`}`;
  const { rows } = await sql<Row>`
    select k.id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.last_used_at, m.name as owner, ${state} as state, ${place.key} as key
    ${meant} and ${facetFilter(facets)} and ${place.behind} order by ${place.order} limit ${limit + 1}`.execute(db);
  return { rows, sort, counts: await countFacets(db, facets, meant) };
}
