import { type SqlBool, sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { RunAsk, RunIdentity } from '#app/contracts/runs.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';
import { readHiddenColumns } from '#app/domain/people/member-settings.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
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

export const RUN_PAGE_SIZE = 50;
/** Newest runs that filters without an index look through at a time: cause, cost, time and trigger stand in no index. */
const RUNS_SEARCHED = 20_000;
/** Newest failed runs among which causes are counted. */
const FAILED_SEARCHED = 1_000;
const MOST_CAUSES = 30;
const MOST_CHOICES = 500;

type Choice = { id: string; name: string };

/**
 * Workflows and people to choose from, by name; no more than a choice can hold; and the columns that the member has put away. Without
 * `people`, nobody.
 */
export async function loadRunChoices(db: Db, workspaceId: string, { people, userId }: { people: boolean; userId: string }) {
  const { rows } = await sql<{ workflows: Choice[]; people: Choice[]; settings: unknown }>`select
    (select s.settings from quorate.member_settings s where s.workspace_id = ${workspaceId} and s.user_id = ${userId}) as settings,
    (select coalesce(jsonb_agg(w), '[]') from (select a.id, a.name from quorate.artifacts a
      where a.workspace_id = ${workspaceId} and a.kind = 'workflow' and a.deleted_at is null order by a.name limit ${MOST_CHOICES}) w) as workflows,
    (select coalesce(jsonb_agg(p), '[]') from (select m.user_id as id, m.name from quorate.members m
      where ${people} and m.workspace_id = ${workspaceId} order by m.name limit ${MOST_CHOICES}) p) as people`.execute(db);
  const { workflows = [], people: members = [], settings } = rows[0] ?? {};
  return { workflows, people: members, hidden: readHiddenColumns(settings, 'runs') };
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

type Asked = { filter: RunFilter; before: string | null; own: string | null; limit?: number; searched?: number };

/**
 * Runs that the member may see, newest first. `before` is the id of the last row of the page before, so that every page costs the same; one
 * row more than a page is read to know whether there is a next. `own`: who sees no others, whose runs are found without passing everyone's.
 * `searchedTo`: filters without an index have looked through `searched` runs, down to this one, and there may be more behind it.
 */
export async function loadRunList(
  db: Db,
  { filter, before, own, limit = RUN_PAGE_SIZE, searched = RUNS_SEARCHED }: Asked,
): Promise<{ rows: RunRow[]; next: string | null; searchedTo: string | null; searched: number }> {
  const texts = filter.q === '' ? null : await findRunTexts(db, filter.q);
  const reading = texts !== null && texts.ids === null;
  const indexed = indexedRuns(db, filter, { before, own, texts });
  const unindexed = filter.error !== '' || filter.cost !== '' || filter.seconds !== '' || filter.trigger !== '' || filter.version !== '';
  const searching = unindexed || reading;
  const most = reading ? Math.min(searched, RUN_TEXTS_SEARCHED) : searched;
  const looked = indexed.selectAll('r').orderBy('r.created_at', 'desc').orderBy('r.id', 'desc');
  const rows = await db
    .selectFrom((searching ? looked.limit(most) : looked.limit(limit + 1)).as('r'))
    .leftJoin('quorate.artifacts as a', 'a.id', 'r.artifact_id')
    .leftJoin('quorate.versions as v', 'v.id', 'r.version_id')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
    )
    .where((eb) =>
      eb.and([
        ...(reading ? [holdsWords(eb.ref('r.id'), texts)] : []),
        ...(filter.error === '' ? [] : [sql<SqlBool>`r.error ->> 'key' = ${filter.error}`]),
        ...(filter.cost === '' ? [] : [sql<SqlBool>`r.cost_micros >= ${filter.cost}::bigint`]),
        ...(filter.seconds === ''
          ? []
          : [
              sql<SqlBool>`extract(epoch from coalesce(r.finished_at, now()) - r.started_at) * 1000 - r.waiting_ms >= ${filter.seconds}::int * 1000`,
            ]),
        ...(filter.trigger === '' ? [] : [sql<SqlBool>`r.trigger_kind = ${filter.trigger}`]),
        ...(filter.version === '' ? [] : [sql<SqlBool>`v.number = ${filter.version}::int`]),
      ]),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit + 1)
    .select([
      'r.id',
      'r.number',
      'r.subject',
      'r.status',
      'r.mode',
      'r.trigger_kind',
      'r.created_at',
      'r.started_at',
      'r.finished_at',
      'r.waiting_ms',
      'r.cost_micros',
      'a.name as workflow',
      'v.number as version',
      'm.name as initiator',
      excerptOf(filter.q).as('excerpt'),
    ])
    .execute();
  const page = rows.slice(0, limit);
  const asks = await readFirstAsks(
    db,
    page.filter((row) => row.status === 'waiting').map(({ id }) => id),
  );
  const whole = rows.length > limit;
  return {
    next: whole ? (page.at(-1)?.id ?? null) : null,
    searchedTo: searching && !whole ? await lastSearched(indexed, most) : null,
    searched: most,
    rows: page.map((row) => ({
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
      activeMs:
        row.started_at === null || row.finished_at === null
          ? null
          : Math.max(0, row.finished_at.getTime() - row.started_at.getTime() - row.waiting_ms),
      costMicros: row.cost_micros === null ? null : Number(row.cost_micros),
      excerpt: row.excerpt,
      ask: asks.get(row.id) ?? null,
    })),
  };
}

/** Some words around those that were searched for, of the run `r`. */
function excerptOf(words: string) {
  return words === ''
    ? sql<string | null>`null::text`
    : sql<string | null>`(select quorate.excerpt_of(t.text, ${words}) from quorate.run_texts t where t.run_id = r.id)`;
}

type Within = { before: string | null; own: string | null; texts: RunTextSearch | null };

/** Every filter that an index answers, in its order. */
function indexedRuns(db: Db, filter: RunFilter, { before, own, texts }: Within) {
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
  if (before !== null)
    query = query.where(sql<SqlBool>`(r.created_at, r.id) < (select b.created_at, b.id from quorate.runs b where b.id = ${before}::uuid)`);
  return query;
}

/** The last run that a search has looked at, if there may be others behind it. */
async function lastSearched(runs: ReturnType<typeof indexedRuns>, searched: number): Promise<string | null> {
  const last = await runs
    .select('r.id')
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .offset(searched - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.id ?? null;
}
