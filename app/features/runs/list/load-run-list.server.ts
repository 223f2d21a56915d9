import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import { type FacetCounts, NO_COUNTS } from '#app/contracts/facet-counts.ts';
import type { RunAsk, RunIdentity } from '#app/contracts/runs.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { readSort, type TableSort } from '#app/domain/web/table-sort.ts';
import { countFacets, MOST_COUNTED } from '#app/engine/lists/list-facets.ts';
import { cutPage, placeInList } from '#app/engine/lists/list-place.ts';
import { readFirstAsks } from '#app/engine/runs/read-asks.ts';
import { findRunTexts, holdsWords, RUN_TEXTS_SEARCHED, type RunTextSearch } from '#app/engine/runs/texts/find-run-texts.ts';
import type { RunFilter } from '#app/features/runs/list/run-filter.ts';

export type RunRow = RunIdentity & {
  id: string;
  workflow: string;
  version: number | null;
  status: RunStatus;
  mode: 'live' | 'test';
  trigger: string;
  initiator: string | null;
  createdAt: string;
  activeMs: number | null;
  costMicros: number | null;
  /** Where the words stand that were searched for. */
  excerpt: string | null;
  /** The decision or form that it waits for, its own or that of a run it has called. */
  ask: (RunAsk & { of: string }) | null;
};

export type ExportedRun = Omit<RunRow, 'ask'>;

export const RUN_PAGE_SIZE = 50;
/** Newest runs that filters without an index look through at a time: cause, cost, time and trigger stand in no index. */
const RUNS_SEARCHED = 20_000;
/** Newest failed runs among which causes are counted. */
const FAILED_SEARCHED = 1_000;
const MOST_CAUSES = 30;
const MOST_CHOICES = 500;

type Choice = { id: string; name: string };

/** Workflows with the gateways, and people to choose from, by name; no more than a choice can hold. Without `people`, nobody. */
export async function loadRunChoices(db: Db, workspaceId: string, people: boolean) {
  const { rows } = await sql<{ workflows: Choice[]; people: Choice[] }>`select
    (select coalesce(jsonb_agg(w), '[]') from (select a.id, a.name from quorate.artifacts a
      where a.workspace_id = ${workspaceId} and a.kind in ('workflow', 'gateway') and a.deleted_at is null order by a.name limit ${MOST_CHOICES}) w) as workflows,
    (select coalesce(jsonb_agg(p), '[]') from (select m.user_id as id, m.name from quorate.members m
      where ${people} and m.workspace_id = ${workspaceId} order by m.name limit ${MOST_CHOICES}) p) as people`.execute(db);
  return rows[0] ?? { workflows: [], people: [] };
}

/** Why runs failed, the most frequent cause first, among the newest that did; `latest` is the newest reason of its kind. */
export async function loadRunCauses(db: Db, workspaceId: string): Promise<{ key: string; latest: Explanation; runs: number }[]> {
  const { rows } = await sql<{ key: string; latest: Explanation; runs: number }>`
    select f.error ->> 'key' as key, (array_agg(f.error order by f.created_at desc))[1] as latest, count(*)::int as runs
    from (select r.error, r.created_at from quorate.runs r where r.workspace_id = ${workspaceId} and r.status = 'failed'
      order by r.created_at desc, r.id desc limit ${FAILED_SEARCHED}) f
    where f.error ->> 'key' is not null group by 1 order by 3 desc, 1 limit ${MOST_CAUSES}`.execute(db);
  return rows.map(({ key, latest, runs }) => ({ key, latest: { key, values: latest.values ?? {} }, runs }));
}

const ORDERS = {
  started: { by: sql`r.created_at`, as: 'timestamptz' },
  status: { by: sql`r.status`, as: 'text' },
  mode: { by: sql`r.mode`, as: 'text' },
  workflow: { by: sql`coalesce(a.name, '')`, as: 'text' },
  initiator: { by: sql`coalesce(m.name, '')`, as: 'text' },
  active: { by: sql`coalesce(date_part('epoch', r.finished_at - r.started_at) * 1000 - r.waiting_ms, -1)`, as: 'float8' },
} as const;
type RunOrder = keyof typeof ORDERS;
const NEWEST_FIRST: TableSort<RunOrder> = { by: 'started', descending: true };

/** The order that the address asks for; the newest first without one. */
export const readRunOrder = (params: URLSearchParams) => readSort(params, Object.keys(ORDERS) as RunOrder[], NEWEST_FIRST);

type Asked = { filter: RunFilter; sort?: TableSort<RunOrder>; after: string | null; own: string | null; limit?: number; searched?: number };

/**
 * Runs that the member may see. `after` is the key of the last row of the page before, so that every page costs the same; one row more than
 * a page is read to know whether there is a next. `own`: who sees no others, whose runs are found without passing everyone's.
 * `searchedTo`: filters without an index have looked through `searched` runs, down to this key, and there may be more behind it. Only the
 * start of runs has an index: by anything else the newest `searched` runs are ordered, and `cut` says that there are older ones.
 */
export async function loadRunList(
  db: Db,
  asked: Asked,
): Promise<{ rows: RunRow[]; next: string | null; searchedTo: string | null; cut: boolean; searched: number }> {
  const { shown, next, searching, byStart, looked, place, most } = await findRuns(db, asked);
  const asks = await readFirstAsks(
    db,
    shown.filter((row) => row.status === 'waiting').map(({ id }) => id),
  );
  const last = (searching && next === null) || !byStart ? await lastOf(looked, byStart ? place.key : sql`r.id::text`, most) : null;
  return {
    next,
    searchedTo: byStart ? last : null,
    cut: !byStart && last !== null,
    searched: most,
    rows: shown.map((row) => ({ ...rowOf(row), ask: asks.get(row.id) ?? null })),
  };
}

/** The same runs for a file, which says neither whom a run asks nor how far it was searched. */
export async function loadRunsForFile(db: Db, asked: Asked): Promise<ExportedRun[]> {
  const { shown } = await findRuns(db, asked);
  return shown.map(rowOf);
}

async function findRuns(db: Db, { filter, sort = NEWEST_FIRST, after, own, limit = RUN_PAGE_SIZE, searched = RUNS_SEARCHED }: Asked) {
  const texts = filter.q === '' ? null : await findRunTexts(db, filter.q);
  const reading = texts !== null && texts.ids === null ? texts : null;
  const byStart = sort.by === 'started';
  const searching = reading !== null || isUnindexed(filter);
  const most = reading === null ? searched : Math.min(searched, RUN_TEXTS_SEARCHED);
  const place = placeInList(ORDERS, sort, sql`r.id`, after);
  const indexed = indexedRuns(db, filter, { own, texts });
  const looked = byStart
    ? indexed.where(place.behind).orderBy(place.order)
    : indexed.orderBy('r.created_at', 'desc').orderBy('r.id', 'desc');
  const rows = await readRows(db, allOf(looked).limit(byStart && !searching ? limit + 1 : most), filter.q)
    .where((eb) => eb.and([place.behind, unindexed(filter), ...(reading === null ? [] : [holdsWords(eb.ref('r.id'), reading)])]))
    .orderBy(place.order)
    .select(place.key.as('key'))
    .limit(limit + 1)
    .execute();
  return { ...cutPage(rows, limit), searching, byStart, looked, place, most };
}

/**
 * Statuses, kinds and ways to start with the runs they would leave, among the newest that the other filters leave. Words are not counted, nor
 * is a filter without an index where there are more runs than are looked at: the list finds others further back.
 */
export async function countRuns(db: Db, filter: RunFilter, own: string | null, most = MOST_COUNTED): Promise<FacetCounts> {
  if (filter.q !== '') return NO_COUNTS;
  const inOrder = indexedRuns(db, { ...filter, status: '', mode: '' }, { own, texts: null })
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc');
  const rare = { ...filter, trigger: '' };
  if (isUnindexed(rare) && (await lastOf(inOrder, sql`r.id::text`, most + 1)) !== null) return NO_COUNTS;
  const newest = inOrder
    .select([
      'r.status',
      'r.mode',
      'r.trigger_kind',
      'r.error',
      'r.cost_micros',
      'r.started_at',
      'r.finished_at',
      'r.waiting_ms',
      'r.version_id',
    ])
    .limit(most + 1);
  const facets = {
    status: { values: sql`array[r.status]`, chosen: filter.status },
    mode: { values: sql`array[r.mode]`, chosen: filter.mode },
    trigger: { values: sql`array[r.trigger_kind]`, chosen: filter.trigger },
  };
  return countFacets(db, facets, sql`from ${newest.as('r')} where ${unindexed(rare)}`, most);
}

/** The rows of the list out of these runs, with the names that they have no column for. */
function readRows(db: Db, runs: ReturnType<typeof allOf>, words: string) {
  return db
    .selectFrom(runs.as('r'))
    .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .leftJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
    )
    .select(['r.id', 'r.number', 'r.subject', 'r.status', 'r.mode', 'r.trigger_kind', 'r.created_at', 'r.started_at', 'r.finished_at'])
    .select(['r.waiting_ms', 'r.cost_micros', 'a.name as workflow', 'v.number as version', 'm.name as initiator'])
    .select(excerptOf(words).as('excerpt'));
}
type Found = Awaited<ReturnType<ReturnType<typeof readRows>['execute']>>[number];

function rowOf(row: Found): ExportedRun {
  const ended = row.started_at !== null && row.finished_at !== null ? row.finished_at.getTime() - row.started_at.getTime() : null;
  return {
    id: row.id,
    number: row.number,
    subject: readSubject(row.subject),
    workflow: row.workflow ?? '',
    version: row.version,
    status: row.status,
    mode: row.mode,
    trigger: row.trigger_kind,
    initiator: row.initiator,
    createdAt: row.created_at.toISOString(),
    activeMs: ended === null ? null : Math.max(0, ended - row.waiting_ms),
    costMicros: row.cost_micros === null ? null : Number(row.cost_micros),
    excerpt: row.excerpt,
  };
}

const isUnindexed = ({ error, cost, seconds, trigger, version }: RunFilter) =>
  [error, cost, seconds, trigger, version].some((value) => value !== '');

/** The filters that no index answers, of the run `r`. */
function unindexed({ error, cost, seconds, trigger, version }: RunFilter) {
  const active = sql`extract(epoch from coalesce(r.finished_at, now()) - r.started_at) * 1000 - r.waiting_ms`;
  return sql<SqlBool>`${sql.join(
    [
      sql`true`,
      ...(error === '' ? [] : [sql`r.error ->> 'key' = ${error}`]),
      ...(cost === '' ? [] : [sql`r.cost_micros >= ${cost}::bigint`]),
      ...(seconds === '' ? [] : [sql`${active} >= ${seconds}::int * 1000`]),
      ...(trigger === '' ? [] : [sql`r.trigger_kind = ${trigger}`]),
      ...(version === '' ? [] : [sql`exists (select from quorate.versions w where w.id = r.version_id and w.number = ${version}::int)`]),
    ],
    sql` and `,
  )}`;
}

/** Some words around those that were searched for, of the run `r`. */
function excerptOf(words: string) {
  return words === ''
    ? sql<string | null>`null::text`
    : sql<string | null>`(select quorate.excerpt_of(t.text, ${words}) from quorate.run_texts t where t.run_id = r.id)`;
}

type Within = { own: string | null; texts: RunTextSearch | null };

/** Every filter that an index answers. */
function indexedRuns(db: Db, filter: RunFilter, { own, texts }: Within) {
  let query = db.selectFrom('quorate.runs as r');
  if (filter.status !== '') query = query.where('r.status', '=', filter.status as RunStatus);
  // Only failed runs have a cause, and an index of their own.
  else if (filter.error !== '') query = query.where('r.status', '=', 'failed');
  if (texts !== null && texts.ids !== null) query = query.where(sql<SqlBool>`r.id = any(${texts.ids}::uuid[])`);
  if (filter.workflow !== '') query = query.where('r.artifact_id', '=', filter.workflow);
  if (filter.mode !== '') query = query.where('r.mode', '=', filter.mode as RunRow['mode']);
  if (filter.person !== '') query = query.where('r.initiator_id', '=', filter.person);
  if (own !== null) query = query.where('r.initiator_id', '=', own);
  if (filter.from !== '') query = query.where('r.created_at', '>=', new Date(`${filter.from}T00:00:00Z`));
  if (filter.until !== '') query = query.where('r.created_at', '<', new Date(Date.parse(`${filter.until}T00:00:00Z`) + 86_400_000));
  return query;
}
const allOf = (runs: ReturnType<typeof indexedRuns>) => runs.selectAll('r');

/** The key of the last run that a search has looked at, if there may be others behind it. */
async function lastOf(runs: ReturnType<typeof indexedRuns>, key: RawBuilder<string>, searched: number): Promise<string | null> {
  const last = await runs
    .select(key.as('key'))
    .offset(searched - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.key ?? null;
}
