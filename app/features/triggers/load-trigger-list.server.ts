import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage, inShippedWords } from '#app/components/text/shipped-texts.server.ts';
import { servicesContext } from '#app/contracts/request-context.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';
import { scheduleSettingsSchema } from '#app/engine/triggers/run-schedules.ts';
import { requireAuthor } from '#app/features/triggers/load-triggers.server.ts';
import { TRIGGERS } from '#app/features/triggers/trigger-list-address.ts';

type Context = Readonly<RouterContextProvider>;
const PAGE: ListExtent = { size: 50, counted: true };
const KINDS = ['schedule', 'webhook'] as const;
const STATUSES = ['active', 'inactive'] as const;

/** Why a trigger last started nothing; a key `refusal.<it>` of the namespace `triggers`. */
const REFUSALS = ['paused', 'halted', 'quota_exceeded', 'invalid_input', 'conflict'] as const;

export type TriggerRow = {
  id: string;
  name: string;
  kind: (typeof KINDS)[number];
  status: (typeof STATUSES)[number];
  workflow: { id: string; name: string; active: boolean };
  /** The publisher, in whose name runs start; null: no member any longer, so the trigger starts nothing. */
  publisher: string | null;
  cron: string | null;
  timeZone: string | null;
  nextAt: string | null;
  address: string | null;
  lastAt: string | null;
  lastRunId: string | null;
  refusal: (typeof REFUSALS)[number] | 'other' | null;
};
type Row = Pick<TriggerRow, 'id' | 'name' | 'kind' | 'status' | 'publisher'> & {
  settings: unknown;
  next_at: Date | null;
  last_at: Date | null;
  last_run_id: string | null;
  last_refusal: string | null;
  workflow_id: string;
  workflow_name: string;
  workflow_status: string;
  key: string;
};

const STATUS = sql`case when t.enabled then 'active' else 'inactive' end`;
const ORDERS = {
  created: { by: sql`t.created_at`, as: 'timestamptz' },
  name: { by: sql`t.name`, as: 'text' },
  kind: { by: sql`t.kind`, as: 'text' },
  status: { by: STATUS, as: 'text' },
  workflow: { by: sql`a.name`, as: 'text' },
  next: { by: sql`coalesce(t.next_at, '9999-12-31Z')`, as: 'timestamptz' },
  last: { by: sql`coalesce(t.last_at, '0001-01-01Z')`, as: 'timestamptz' },
} as const;

/** The workspace's schedules and webhooks, newest first, by the filters and in the order of the address. */
export async function loadTriggerList({ url, context }: { url: URL; context: Context }) {
  const { list, triggers } = await readTriggers(context, url.searchParams);
  return { list, triggers: inReadersLanguage(context, triggers) };
}
export type LoadedTriggerList = Awaited<ReturnType<typeof loadTriggerList>>;

const COLUMNS: readonly CsvColumn<TriggerRow>[] = [
  ['trigger_id', (row) => row.id],
  ['name', (row) => row.name],
  ['kind', (row) => row.kind, 'kind'],
  ['status', (row) => row.status, 'status'],
  ['workflow', (row) => row.workflow.name, 'workflow'],
  ['acts_as', (row) => row.publisher, 'workflow'],
  ['cron', (row) => row.cron, 'when'],
  ['time_zone', (row) => row.timeZone, 'when'],
  ['address', (row) => row.address, 'when'],
  ['next_at', (row) => row.nextAt, 'next'],
  ['last_at', (row) => row.lastAt, 'last'],
  ['refusal', (row) => row.refusal, 'last'],
];

export async function downloadTriggers(context: Context, url: URL): Promise<Response> {
  const { triggers, list } = await readTriggers(context, url.searchParams, FILE);
  return csvResponse(list.name, writeListCsv(COLUMNS, triggers, list.hidden));
}

async function readTriggers(context: Context, params: URLSearchParams, extent = PAGE) {
  const { read, member } = requireAuthor(context);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const query = inShippedWords(context, readSearchWords(params.get('q')).words);
  const meant = sql`from quorate.triggers t join quorate.artifacts a on a.id = t.artifact_id
    where t.workspace_id = ${who.workspaceId} and t.kind = any(${[...KINDS]}) and a.deleted_at is null
    and (${query} = '' or strpos(lower(t.name || ' ' || a.name), lower(${query})) > 0)`;
  const { list, rows } = await read((db) =>
    readListPage(db, {
      who,
      address: TRIGGERS,
      params,
      orders: ORDERS,
      sort: { by: 'created', descending: true },
      id: sql`t.id`,
      facets: {
        status: { values: sql`array[${STATUS}]`, chosen: chosenOf(STATUSES, params, 'status') },
        kind: { values: sql`array[t.kind]`, chosen: chosenOf(KINDS, params, 'kind') },
      },
      counted: meant,
      extent,
      page: ({ key, where, order, limit }) => sql<Row>`
        select t.id, t.name, t.kind, ${STATUS} as status, t.settings, t.next_at, t.last_at, t.last_run_id, t.last_refusal,
          a.id as workflow_id, a.name as workflow_name, a.status as workflow_status, ${key} as key,
          (select m.name from quorate.versions v join quorate.members m on m.workspace_id = v.workspace_id and m.user_id = v.author_id
            where v.id = a.published_version_id) as publisher
        ${meant} and ${where} order by ${order} limit ${limit}`,
    }),
  );
  return { list, triggers: rows.map((row) => shownTrigger(context.get(servicesContext).origin, row)) };
}

function shownTrigger(origin: string, row: Row): TriggerRow {
  const settings = row.kind === 'schedule' ? scheduleSettingsSchema.safeParse(row.settings).data : undefined;
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    status: row.status,
    workflow: { id: row.workflow_id, name: row.workflow_name, active: row.workflow_status === 'active' },
    publisher: row.publisher,
    cron: settings?.cron ?? null,
    timeZone: settings?.timeZone ?? null,
    nextAt: row.next_at?.toISOString() ?? null,
    address: row.kind === 'webhook' ? `${origin}${href('/hooks/:hook', { hook: row.id })}` : null,
    lastAt: row.last_at?.toISOString() ?? null,
    lastRunId: row.last_run_id,
    refusal: row.last_refusal === null ? null : (REFUSALS.find((known) => known === row.last_refusal) ?? 'other'),
  };
}
