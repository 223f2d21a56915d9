import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import type { Role } from '#app/contracts/people.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';

const PAGE: ListExtent = { size: 50, counted: true };
export const DELIVERIES: ListAddress = {
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
  const { rows, list } = await readDeliveries(context, url.searchParams, FILE);
  return csvResponse(list.name, writeListCsv(COLUMNS, rows, list.hidden));
}

/** The database asks it again (`resend_delivery`). */
export const maySendAgain = (roles: readonly Role[]) => roles.includes('builder') || roles.includes('admin');

async function readDeliveries(context: Context, params: URLSearchParams, extent = PAGE) {
  const { member, read } = context.get(memberContext);
  if (!member.roles.includes('admin') && !member.roles.includes('auditor')) throw data({ code: 'forbidden' }, { status: 403 });
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const meant = sql`from quorate.deliveries d where d.workspace_id = ${who.workspaceId}`;
  const { list, rows } = await read((db) =>
    readListPage(db, {
      who,
      address: DELIVERIES,
      params,
      orders: ORDERS,
      sort: { by: 'created', descending: true },
      id: sql`d.id`,
      facets: {
        status: { value: sql`d.status`, chosen: chosenOf(STATUSES, params, 'status') },
        kind: { value: sql`d.kind`, chosen: chosenOf(KINDS, params, 'kind') },
      },
      counted: sql`${meant} order by d.created_at desc, d.id desc`,
      extent,
      page: ({ key, where, order, limit }) => sql<Row>`
        select d.id, d.kind, d.target, d.status, d.attempts, d.created_at, d.next_attempt_at, d.last_error, ${key} as key
        ${meant} and ${where} order by ${order} limit ${limit}`,
    }),
  );
  return {
    list,
    sends: maySendAgain(member.roles),
    rows: rows.map(
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

const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '');
