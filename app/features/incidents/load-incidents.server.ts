import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { REGIMES, type Regime, SEVERITIES, type Severity } from '#app/domain/incidents/incident.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';
import { readTenant } from '#app/engine/workspaces/read-tenant.ts';

const PAGE: ListExtent = { size: 50, counted: true };
const INCIDENTS: ListAddress = {
  name: 'incidents',
  path: href('/dashboard/policies/compliance/incidents'),
  params: ['q', 'state', 'severity', 'law', 'sort'],
};
export const INCIDENT_STATES = ['overdue', 'open', 'closed'] as const;
export type IncidentState = (typeof INCIDENT_STATES)[number];

type Context = Readonly<RouterContextProvider>;
type Row = {
  id: string;
  number: number;
  title: string;
  state: IncidentState;
  severity: Severity;
  regimes: Regime[];
  due: Date | null;
  noticed_at: Date;
  closed_at: Date | null;
  recorded_by: string | null;
  key: string;
};

const LATE = sql`exists (select 1 from quorate.incident_clocks l
  where l.incident_id = i.id and l.sent_at is null and l.due_at <= statement_timestamp())`;
const STATE = sql`case when i.closed_at is not null then 'closed' when ${LATE} then 'overdue' else 'open' end`;
const DUE = sql`(select min(d.due_at) from quorate.incident_clocks d where d.incident_id = i.id and d.sent_at is null)`;
const ORDERS = {
  number: { by: sql`i.number`, as: 'float8' },
  state: { by: STATE, as: 'text' },
  severity: { by: sql`case i.severity when 'low' then 1 when 'medium' then 2 else 3 end`, as: 'float8' },
  due: { by: sql`coalesce(${DUE}, '9999-12-31'::timestamptz)`, as: 'timestamptz' },
  noticed: { by: sql`i.noticed_at`, as: 'timestamptz' },
} as const;

/** Incidents that this member may see, the newest first. */
export function loadIncidents({ context, url }: { context: Context; url: URL }) {
  const { member, read } = context.get(memberContext);
  return read(async (db) => ({
    ...(await readIncidents(db, context, url.searchParams)),
    timeZone: (await readTenant(db, member.workspace.id)).timeZone,
  }));
}
export type LoadedIncidents = Awaited<ReturnType<typeof loadIncidents>>;
export type IncidentRow = LoadedIncidents['incidents'][number];

const COLUMNS: readonly CsvColumn<IncidentRow>[] = [
  ['incident_id', (row) => row.id],
  ['number', (row) => row.number],
  ['title', (row) => row.title],
  ['state', (row) => row.state, 'state'],
  ['severity', (row) => row.severity, 'severity'],
  ['laws', (row) => row.regimes.join(' '), 'laws'],
  ['next_due_at', (row) => row.due, 'due'],
  ['noticed_at', (row) => row.noticedAt, 'noticed'],
  ['closed_at', (row) => row.closedAt],
  ['recorded_by', (row) => row.recordedBy, 'by'],
];

export async function downloadIncidents(context: Context, url: URL): Promise<Response> {
  const { incidents, list } = await context.get(memberContext).read((db) => readIncidents(db, context, url.searchParams, FILE));
  return csvResponse(list.name, writeListCsv(COLUMNS, incidents, list.hidden));
}

async function readIncidents(db: Db, context: Context, params: URLSearchParams, extent = PAGE) {
  const { member } = context.get(memberContext);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const query = readSearchWords(params.get('q')).words;
  const meant = sql`i.workspace_id = ${who.workspaceId}
    and (${query} = '' or strpos(lower(i.title || ' ' || i.happened), lower(${query})) > 0)`;
  const { list, rows } = await readListPage(db, {
    who,
    address: INCIDENTS,
    params,
    orders: ORDERS,
    sort: { by: 'number', descending: true },
    id: sql`i.id`,
    facets: {
      state: { value: STATE, chosen: chosenOf(INCIDENT_STATES, params, 'state') },
      severity: { value: sql`i.severity`, chosen: chosenOf(SEVERITIES, params, 'severity') },
      law: { values: sql`i.regimes`, chosen: chosenOf(REGIMES, params, 'law') },
    },
    counted: sql`from quorate.incidents i where ${meant}`,
    extent,
    page: ({ key, where, order, limit }) => sql<Row>`
      select i.id, i.number, i.title, ${STATE} as state, i.severity, i.regimes, ${DUE} as due, i.noticed_at, i.closed_at,
        m.name as recorded_by, ${key} as key
      from quorate.incidents i left join quorate.members m on m.workspace_id = i.workspace_id and m.user_id = i.recorded_by
      where ${meant} and ${where} order by ${order} limit ${limit}`,
  });
  return {
    list,
    incidents: rows.map(({ key: _, noticed_at, closed_at, recorded_by, due, ...row }) => ({
      ...row,
      due: due?.toISOString() ?? null,
      noticedAt: noticed_at.toISOString(),
      closedAt: closed_at?.toISOString() ?? null,
      recordedBy: recorded_by,
    })),
  };
}
