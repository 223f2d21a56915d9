import { type RawBuilder, sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { type DataClass, RISK_CLASSES, type RiskClass } from '#app/domain/inventory/agent-record.ts';
import { assertPermission } from '#app/domain/people/roles.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';

const PAGE: ListExtent = { size: 50, counted: true };
const INVENTORY: ListAddress = {
  name: 'inventory',
  path: href('/dashboard/agents/inventory'),
  params: ['q', 'owner', 'review', 'risk', 'sort'],
};
const OWNERS = ['unowned', 'owned'] as const;
export type OwnerState = (typeof OWNERS)[number];
const REVIEWS = ['overdue', 'planned', 'none'] as const;
export type ReviewState = (typeof REVIEWS)[number];
const RISKS = [...RISK_CLASSES, 'none'] as const;

type Context = Readonly<RouterContextProvider>;
type Row = {
  id: string;
  kind: 'authored' | 'remote';
  name: string;
  owner: string | null;
  purpose: string;
  risk: RiskClass | 'none';
  data_classes: DataClass[];
  review: ReviewState;
  review_on: string | null;
  key: string;
};

const RISK = sql`coalesce(r.risk_class, 'none')`;
const OWNER = sql`case when m.user_id is null then 'unowned' else 'owned' end`;
// A day of the calendar, as the database's reminder counts it.
const REVIEW = sql`case when r.review_on is null then 'none' when r.review_on < (statement_timestamp() at time zone 'UTC')::date
  then 'overdue' else 'planned' end`;
const ORDERS = {
  name: { by: sql`x.name`, as: 'text' },
  owner: { by: sql`coalesce(m.name, '')`, as: 'text' },
  risk: { by: sql`coalesce(array_position(array['minimal', 'limited', 'high', 'prohibited'], r.risk_class), 0)`, as: 'float8' },
  review: { by: sql`coalesce(r.review_on::text, '9999')`, as: 'text' },
} as const;

/** Agents of both kinds with their records. */
const agentsOf = (workspaceId: string): RawBuilder<unknown> => sql`(
    select a.id, 'authored' as kind, a.name from quorate.artifacts a
      where a.workspace_id = ${workspaceId} and a.kind = 'agent' and a.deleted_at is null
    union all
    select c.id, 'remote' as kind, c.name from quorate.connections c
      where c.workspace_id = ${workspaceId} and c.kind = 'a2a' and c.deleted_at is null) x
  left join quorate.agent_records r on r.agent_id = x.id
  left join quorate.members m on m.workspace_id = ${workspaceId} and m.user_id = r.owner_id`;

/** All agents of the workspace with who answers for them, for whoever sees all runs. */
export function loadInventory({ context, url }: { context: Context; url: URL }) {
  return context.get(memberContext).read((db) => readInventory(db, context, url.searchParams));
}
export type LoadedInventory = Awaited<ReturnType<typeof loadInventory>>;
export type InventoryRow = LoadedInventory['agents'][number];

const COLUMNS: readonly CsvColumn<InventoryRow>[] = [
  ['agent_id', (row) => row.id],
  ['name', (row) => row.name],
  ['kind', (row) => row.kind],
  ['owner', (row) => row.owner, 'owner'],
  ['purpose', (row) => row.purpose, 'purpose'],
  ['risk_class', (row) => (row.risk === 'none' ? null : row.risk), 'risk'],
  ['data_classes', (row) => row.dataClasses.join(' '), 'data'],
  ['review_on', (row) => row.reviewOn, 'review'],
];

export async function downloadInventory(context: Context, url: URL): Promise<Response> {
  const { agents, list } = await context.get(memberContext).read((db) => readInventory(db, context, url.searchParams, FILE));
  return csvResponse(list.name, writeListCsv(COLUMNS, agents, list.hidden));
}

async function readInventory(db: Db, context: Context, params: URLSearchParams, extent = PAGE) {
  const { member } = context.get(memberContext);
  assertPermission(member.roles, 'seeAllRuns');
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const query = readSearchWords(params.get('q')).words;
  const meant = sql`(${query} = '' or strpos(lower(x.name || ' ' || coalesce(r.purpose, '')), lower(${query})) > 0)`;
  const { list, rows } = await readListPage(db, {
    who,
    address: INVENTORY,
    params,
    orders: ORDERS,
    sort: { by: 'name', descending: false },
    id: sql`x.id`,
    facets: {
      owner: { value: OWNER, chosen: chosenOf(OWNERS, params, 'owner') },
      review: { value: REVIEW, chosen: chosenOf(REVIEWS, params, 'review') },
      risk: { value: RISK, chosen: chosenOf(RISKS, params, 'risk') },
    },
    counted: sql`from ${agentsOf(who.workspaceId)} where ${meant}`,
    extent,
    page: ({ key, where, order, limit }) => sql<Row>`
      select x.id, x.kind, x.name, m.name as owner, coalesce(r.purpose, '') as purpose, ${RISK} as risk,
        coalesce(r.data_classes, '{}') as data_classes, ${REVIEW} as review, to_char(r.review_on, 'YYYY-MM-DD') as review_on, ${key} as key
      from ${agentsOf(who.workspaceId)} where ${meant} and ${where} order by ${order} limit ${limit}`,
  });
  return {
    list,
    agents: rows.map(({ key: _, data_classes, review_on, ...row }) => ({ ...row, dataClasses: data_classes, reviewOn: review_on })),
  };
}
