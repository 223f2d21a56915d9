import { type SqlBool, sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { z } from 'zod';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { listSavedViews } from '#app/components/saved-views/saved-views.server.ts';
import { inReadersLanguage, inShippedWords } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { NO_COUNTS } from '#app/contracts/facet-counts.ts';
import { memberContext } from '#app/contracts/request-context.ts';
import { can } from '#app/domain/people/roles.ts';
import { exportEvidence } from '#app/engine/commands/evidence/export-evidence.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { countFacets, MOST_COUNTED } from '#app/engine/lists/list-facets.ts';
import { type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';
import { takeTable } from '#app/evidence.server.ts';
import { type AuditFilter, NO_FILTER, NOBODY } from '#app/features/audit/audit-filter-facts.ts';
import { AUDIT, readAuditFilter } from '#app/features/audit/audit-filter-schema.ts';
import { AUDIT_VIEWS } from '#app/features/audit/audit-views.server.ts';
import { performAsMember } from '#app/perform.server.ts';

const PAGE: ListExtent = { size: 50, counted: true };
/** How far back a kind or a part of a name is searched. */
const ENTRIES_SEARCHED = 10_000;

export type AuditRow = {
  id: string;
  at: string;
  actor: { kind: string; name: string | null };
  action: string;
  resource: { kind: string; id: string; name: string | null };
  erased: boolean;
  /** Recorded while break-glass ran. */
  breakGlass: boolean;
  leafIndex: number | null;
};

const ORDERS = { timestamp: { by: sql`e.at`, as: 'timestamptz' } } as const;
type Context = Readonly<RouterContextProvider>;

/**
 * One page of the log, newest first. Auditors and admins see all of it, everyone else what they did themselves: the database sees to that.
 */
export async function loadAuditLog({ url, context }: { url: URL; context: Context }) {
  const { member, read } = context.get(memberContext);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const seesAll = can(member.roles, 'readAuditLog');
  const { log, ...found } = await read(async (db) => ({
    log: await readLog(db, context, url.searchParams),
    actions: await listActions(db, member.workspace.id, seesAll ? null : member.userId),
    views: await listSavedViews(db, AUDIT_VIEWS, who),
    people: seesAll
      ? await db
          .selectFrom('quorate.members')
          .select(['user_id as id', 'name'])
          .where('workspace_id', '=', member.workspace.id)
          .orderBy('name')
          .execute()
      : [],
  }));
  const { filter, valid, list } = log;
  const loaded = { filter, valid, seesAll, searched: ENTRIES_SEARCHED, ...found, list, rows: inReadersLanguage(context, log.rows) };
  return data(loaded, { status: valid ? 200 : 400 });
}
export type LoadedAuditLog = Awaited<ReturnType<typeof loadAuditLog>>['data'];

const COLUMNS: readonly CsvColumn<AuditRow>[] = [
  ['event_id', (row) => row.id],
  ['actor_kind', (row) => row.actor.kind, 'user'],
  ['actor', (row) => row.actor.name, 'user'],
  ['action', (row) => row.action, 'action'],
  ['at', (row) => row.at, 'timestamp'],
  ['resource_kind', (row) => row.resource.kind, 'resource'],
  ['resource_id', (row) => row.resource.id, 'resource'],
  ['resource', (row) => row.resource.name, 'resource'],
  ['leaf_index', (row) => row.leafIndex, 'place'],
  ['break_glass', (row) => (row.breakGlass ? 'yes' : '')],
];

/** The entries that the filters leave as CSV; as proof they leave as evidence. */
export async function downloadAuditLog(context: Context, url: URL): Promise<Response> {
  const { rows, list, valid } = await context.get(memberContext).read((db) => readLog(db, context, url.searchParams, FILE));
  if (!valid) throw data({ code: 'invalid_input' }, { status: 400 });
  // whoever does not see all of the log takes along what they did themselves
  if (can(context.get(memberContext).member.roles, 'exportEvidence') && !(await takeTable(context, 'audit', url, rows.length)))
    await performAsMember(context, exportEvidence, { kind: 'table', file: `${list.name}.csv` });
  return csvResponse(list.name, writeListCsv(COLUMNS, rows, list.hidden));
}

async function readLog(db: Db, context: Context, params: URLSearchParams, extent = PAGE) {
  const { member } = context.get(memberContext);
  const { filter, valid } = readAuditFilter(params);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  // The database shows nobody else's entries to others; said here too, it finds their few without reading everyone's.
  const own = can(member.roles, 'readAuditLog') ? null : member.userId;
  const stored = valid ? { ...filter, resource: inShippedWords(context, filter.resource) } : NO_FILTER;
  const page = await readListPage(db, {
    who,
    address: AUDIT,
    params,
    orders: ORDERS,
    sort: { by: 'timestamp', descending: true },
    id: sql`e.id`,
    facets: {},
    counted: null,
    extent,
    // In the order of the page: a prepared plan, which knows no values, would search the whole table for a rare one.
    page: ({ key, where, order, limit }) => sql<Entry>`
      select e.id, e.at, e.actor_kind, e.actor_name, e.action, e.resource_kind, e.resource_id, e.resource_name, e.leaf_index,
        e.salt is null as erased, e.payload ? 'breakGlass' as break_glass, ${key} as key
      from ${entriesOf(db, who.workspaceId, own, stored).selectAll('e').as('e')}
      where ${valid} and ${where} order by ${order} limit ${limit}`,
  });
  const counts = valid && extent.counted ? await countEntries(db, stored, { workspaceId: who.workspaceId, own }) : NO_COUNTS;
  return { filter, valid, list: { ...page.list, counts }, rows: page.rows.map(rowOf) };
}

/**
 * Users and actions with the entries they would leave, among the newest that the other filters leave. Nothing is counted where a name is
 * looked for among some of them only: of one user the log is searched further back.
 */
async function countEntries(db: Db, filter: AuditFilter, { workspaceId, own }: { workspaceId: string; own: string | null }) {
  const others = { ...filter, user: '', action: '' };
  if (isLookedFor(own, filter.resource)) {
    const behind = await newestOf(indexedEntries(db, workspaceId, own, others))
      .select('e.id')
      .offset(ENTRIES_SEARCHED)
      .limit(1)
      .executeTakeFirst();
    if (behind !== undefined) return NO_COUNTS;
  }
  const newest = entriesOf(db, workspaceId, own, others)
    .selectAll('e')
    .orderBy('e.at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(MOST_COUNTED + 1);
  const facets = {
    user: { values: sql`array[coalesce(e.actor_id::text, ${NOBODY})]`, chosen: filter.user },
    action: { values: sql`array[e.action]`, chosen: filter.action },
  };
  return countFacets(db, facets, sql`from ${newest.as('e')}`);
}

type Entry = {
  id: string;
  at: Date;
  actor_kind: string;
  actor_name: string | null;
  action: string;
  resource_kind: string;
  resource_id: string;
  resource_name: string | null;
  leaf_index: number | null;
  erased: boolean;
  break_glass: boolean;
  key: string;
};

const rowOf = (row: Entry): AuditRow => ({
  id: row.id,
  at: row.at.toISOString(),
  actor: { kind: row.actor_kind, name: row.actor_name },
  action: row.action,
  resource: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name },
  erased: row.erased,
  breakGlass: row.break_glass,
  leafIndex: row.leaf_index,
});

/** Every filter except the resource, in the order of an index. */
function indexedEntries(db: Db, workspaceId: string, own: string | null, filter: AuditFilter) {
  let query = db.selectFrom('quorate.audit_events as e').where('e.workspace_id', '=', workspaceId);
  if (own !== null) query = query.where('e.actor_id', '=', own);
  if (filter.user === NOBODY) query = query.where('e.actor_id', 'is', null);
  else if (filter.user !== '') query = query.where('e.actor_id', '=', z.uuid().safeParse(filter.user).data ?? null);
  if (filter.action !== '') query = query.where('e.action', '=', filter.action);
  if (filter.from !== '') query = query.where('e.at', '>=', new Date(`${filter.from}T00:00:00Z`));
  if (filter.until !== '') query = query.where('e.at', '<', new Date(Date.parse(`${filter.until}T00:00:00Z`) + 86_400_000));
  return query;
}

const newestOf = (entries: ReturnType<typeof indexedEntries>) => entries.orderBy('e.at', 'desc').orderBy('e.id', 'desc');

/** Among one's own entries an id is looked for like a name: others' entries lie between them in the index of things. */
const isLookedFor = (own: string | null, text: string) => text !== '' && (own !== null || !z.uuid().safeParse(text).success);

/**
 * An id is searched in the whole log. A kind, or a part of a name, is searched among the newest entries that the other filters leave: in
 * all of them it would be looked for in millions.
 */
function entriesOf(db: Db, workspaceId: string, own: string | null, filter: AuditFilter) {
  const entries = indexedEntries(db, workspaceId, own, filter);
  const text = filter.resource;
  if (text === '') return entries;
  if (!isLookedFor(own, text)) return entries.where('e.resource_kind', 'in', kindsOf(db, workspaceId)).where('e.resource_id', '=', text);
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const newest = newestOf(entries).selectAll('e').limit(ENTRIES_SEARCHED);
  return db
    .selectFrom(newest.as('e'))
    .where(sql<SqlBool>`(e.resource_kind = ${text} or e.resource_id = ${text} or e.resource_name ilike ${part})`);
}

/** The kinds of things that the log speaks of, each by one probe of the index. */
function kindsOf(db: Db, workspaceId: string) {
  return db
    .selectFrom(
      sql<{ kind: string }>`(with recursive k (kind) as (
      (select o.resource_kind from quorate.audit_events o where o.workspace_id = ${workspaceId} order by o.resource_kind limit 1)
      union all
      select (select o.resource_kind from quorate.audit_events o where o.workspace_id = ${workspaceId} and o.resource_kind > k.kind order by o.resource_kind limit 1) from k where k.kind is not null
    ) select k.kind from k where k.kind is not null)`.as('k'),
    )
    .select('k.kind');
}

/** The actions that occur, each by one probe of the index; of one's own, those of the newest entries. */
async function listActions(db: Db, workspaceId: string, own: string | null): Promise<string[]> {
  if (own !== null) {
    const newest = db
      .selectFrom('quorate.audit_events')
      .select('action')
      .where('workspace_id', '=', workspaceId)
      .where('actor_id', '=', own)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(ENTRIES_SEARCHED);
    const mine = await db.selectFrom(newest.as('newest')).select('action').distinct().orderBy('action').execute();
    return mine.map((row) => row.action);
  }
  const { rows } = await sql<{ action: string }>`
    with recursive a (action) as (
      (select e.action from quorate.audit_events e where e.workspace_id = ${workspaceId} order by e.action limit 1)
      union all
      select (select e.action from quorate.audit_events e where e.workspace_id = ${workspaceId} and e.action > a.action order by e.action limit 1) from a where a.action is not null
    )
    select a.action from a where a.action is not null`.execute(db);
  return rows.map((row) => row.action);
}
