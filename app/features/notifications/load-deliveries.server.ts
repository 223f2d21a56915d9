import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { readSort } from '#app/components/data/table-sort.ts';
import { csvResponse, MOST_EXPORTED } from '#app/components/list/csv-response.server.ts';
import type { ListAddress } from '#app/components/list/list-address.ts';
import { loadListState } from '#app/components/list/list-state.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { countFacets, type Facets, facetFilter } from '#app/engine/lists/list-facets.ts';
import { cutPage, placeInList } from '#app/engine/lists/list-place.ts';

const DELIVERY_PAGE_SIZE = 50;
const DELIVERIES: ListAddress = {
  name: 'deliveries',
  path: href('/dashboard/notifications/deliveries'),
  params: ['status', 'kind', 'sort'],
};
const KINDS = ['mail', 'webhook'] as const;
const STATUSES = ['pending', 'success', 'failed'] as const;
/** By their time alone, which an index has: there are ever more of them. */
const ORDERS = { created: { by: sql`d.created_at`, as: 'timestamptz' } } as const;

export type DeliveryRow = {
  id: string;
  kind: (typeof KINDS)[number];
  /** The address of a mail; of a webhook its origin alone, because a path may be a secret. */
  target: string;
  status: (typeof STATUSES)[number];
  attempts: number;
  createdAt: string;
  nextAttemptAt: string | null;
  lastError: string | null;
};
type Row = Pick<DeliveryRow, 'id' | 'kind' | 'target' | 'status' | 'attempts'> & {
  created_at: Date;
  next_attempt_at: Date;
  last_error: string | null;
  key: string;
};
type Context = Readonly<RouterContextProvider>;

/** Mails and webhooks of the workspace, newest first: their state, never their content. */
export const loadDeliveries = ({ url, context }: { url: URL; context: Context }) => readDeliveries(context, url.searchParams);
export type LoadedDeliveries = Awaited<ReturnType<typeof loadDeliveries>>;

const COLUMNS: readonly CsvColumn<DeliveryRow>[] = [
  ['delivery_id', (row) => row.id],
  ['target', (row) => row.target],
  ['kind', (row) => row.kind, 'kind'],
  ['status', (row) => row.status, 'status'],
  ['attempts', (row) => row.attempts, 'attempts'],
  ['created_at', (row) => row.createdAt, 'created'],
  ['next_attempt_at', (row) => row.nextAttemptAt, 'next'],
  ['last_error', (row) => row.lastError, 'error'],
];

export async function downloadDeliveries(context: Context, url: URL): Promise<Response> {
  const { rows, list } = await readDeliveries(context, url.searchParams, MOST_EXPORTED);
  return csvResponse(list.name, writeListCsv(COLUMNS, rows, list.hidden));
}

async function readDeliveries(context: Context, params: URLSearchParams, limit = DELIVERY_PAGE_SIZE) {
  const { member, read } = context.get(memberContext);
  if (!member.roles.includes('admin') && !member.roles.includes('auditor')) throw data({ code: 'forbidden' }, { status: 403 });
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const found = await read(async (db) => ({
    ...(await readPage(db, who.workspaceId, params, limit)),
    state: await loadListState(db, who, DELIVERIES, params),
  }));
  const { shown, next } = cutPage(found.rows, limit);
  return {
    list: { ...found.state, sort: found.sort, next, counts: found.counts },
    rows: shown.map(
      (row): DeliveryRow => ({
        id: row.id,
        kind: row.kind,
        target: row.kind === 'webhook' ? originOf(row.target) : row.target,
        status: row.status,
        attempts: row.attempts,
        createdAt: row.created_at.toISOString(),
        nextAttemptAt: row.status === 'pending' && row.attempts > 0 ? row.next_attempt_at.toISOString() : null,
        lastError: row.last_error,
      }),
    ),
  };
}

async function readPage(db: Db, workspaceId: string, params: URLSearchParams, limit: number) {
  const sort = readSort(params, Object.keys(ORDERS) as (keyof typeof ORDERS)[], { by: 'created', descending: true });
  const place = placeInList(ORDERS, sort, sql`d.id`, params.get('after'));
  const facets: Facets = {
    status: { values: sql`array[d.status]`, chosen: STATUSES.find((status) => status === params.get('status')) ?? '' },
    kind: { values: sql`array[d.kind]`, chosen: KINDS.find((kind) => kind === params.get('kind')) ?? '' },
  };
  const meant = sql`from quorate.deliveries d where d.workspace_id = ${workspaceId}`;
  const { rows } = await sql<Row>`
    select d.id, d.kind, d.target, d.status, d.attempts, d.created_at, d.next_attempt_at, d.last_error, ${place.key} as key
    ${meant} and ${facetFilter(facets)} and ${place.behind} order by ${place.order} limit ${limit + 1}`.execute(db);
  return { rows, sort, counts: await countFacets(db, facets, sql`${meant} order by d.created_at desc, d.id desc`) };
}

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '');
