import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage, inShippedWords } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import { can } from '#app/domain/people/roles.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { chosenOf, type ListExtent, readListPage } from '#app/engine/lists/read-list-page.ts';
import { loadDecisions } from '#app/features/policies/replay/load-decisions.server.ts';

export const VIOLATION_WINDOW_DAYS = 30;
const RECENT_VIOLATIONS = 10;
const PAGE: ListExtent = { size: 50, counted: true };
const POLICIES: ListAddress = { name: 'policies', path: href('/dashboard/policies'), params: ['q', 'status', 'sort'] };
const STATUSES = ['active', 'inactive', 'draft'] as const;

type Context = Readonly<RouterContextProvider>;
type Row = {
  id: string;
  name: string;
  description: string;
  status: ArtifactStatus | 'draft';
  number: number | null;
  decisions: number;
  updated_at: Date;
  key: string;
};

// A published version has a number, so a policy without one is told by its own row.
const STATUS = sql`case when a.published_version_id is null then 'draft' else a.status end`;
const ORDERS = {
  name: { by: sql`a.name`, as: 'text' },
  status: { by: STATUS, as: 'text' },
  version: { by: sql`coalesce(v.number, 0)`, as: 'float8' },
  decisions: { by: sql`coalesce(d.decisions, 0)`, as: 'float8' },
  updated: { by: sql`a.updated_at`, as: 'timestamptz' },
} as const;

/** Figures and list of the workspace's policies, and what they objected to lately. */
export async function loadPolicies({ context, url }: { context: Context; url: URL }) {
  const { member, read } = context.get(memberContext);
  const since = windowStart(context);
  const { listed, ...loaded } = await read(async (db) => {
    const { rows } = await sql<{ active: number; updated: Date | null; violations: number; approves: boolean }>`
      select count(*) filter (where a.status = 'active')::int as active, max(a.updated_at) as updated,
        quorate.count_violations(${since}) as violations, exists (
          select 1 from quorate.members m where m.workspace_id = ${member.workspace.id} and 'approver' = any (m.roles)) as approves
      from quorate.artifacts a where a.workspace_id = ${member.workspace.id} and a.kind = 'policy' and a.deleted_at is null`.execute(db);
    return {
      listed: await readPolicies(db, context, url.searchParams, since),
      somebodyApproves: rows[0]?.approves ?? false,
      figures: {
        active: rows[0]?.active ?? 0,
        violations: rows[0]?.violations ?? 0,
        lastUpdated: rows[0]?.updated?.toISOString() ?? null,
      },
      violations: await loadDecisions(db, { since, limit: RECENT_VIOLATIONS, violationsOnly: true }),
    };
  });
  const may = { mayAuthor: can(member.roles, 'authorPolicy'), readsChanges: can(member.roles, 'readChanges') };
  const { policies, ...list } = listed;
  return { ...list, ...may, ...inReadersLanguage(context, { ...loaded, policies }) };
}
export type LoadedPolicies = Awaited<ReturnType<typeof loadPolicies>>;
export type PolicyRow = LoadedPolicies['policies'][number];

const COLUMNS: readonly CsvColumn<PolicyRow>[] = [
  ['policy_id', (row) => row.id],
  ['name', (row) => row.name],
  ['description', (row) => row.description],
  ['status', (row) => row.status, 'status'],
  ['version', (row) => row.version, 'version'],
  ['decisions', (row) => row.decisions, 'decisions'],
  ['updated_at', (row) => row.updatedAt, 'updated'],
];

export async function downloadPolicies(context: Context, url: URL): Promise<Response> {
  const { policies, list } = await context
    .get(memberContext)
    .read((db) => readPolicies(db, context, url.searchParams, windowStart(context), FILE));
  return csvResponse(list.name, writeListCsv(COLUMNS, policies, list.hidden));
}

const windowStart = (context: Context) => new Date(context.get(servicesContext).now().getTime() - VIOLATION_WINDOW_DAYS * 86_400_000);

async function readPolicies(db: Db, context: Context, params: URLSearchParams, since: Date, extent = PAGE) {
  const { member } = context.get(memberContext);
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const query = inShippedWords(context, readSearchWords(params.get('q')).words);
  const meant = sql`a.workspace_id = ${who.workspaceId} and a.kind = 'policy' and a.deleted_at is null
    and (${query} = '' or strpos(lower(a.name || ' ' || a.description), lower(${query})) > 0)`;
  const { list, rows } = await readListPage(db, {
    who,
    address: POLICIES,
    params,
    orders: ORDERS,
    sort: { by: 'name', descending: false },
    id: sql`a.id`,
    facets: { status: { value: STATUS, chosen: chosenOf(STATUSES, params, 'status') } },
    counted: sql`from quorate.artifacts a where ${meant}`,
    extent,
    page: ({ by, key, where, order, limit }) => {
      const versions = sql`left join quorate.versions v on v.id = a.published_version_id`;
      const decisions = sql`left join quorate.count_policy_decisions(${since}) d on d.policy_id = a.id::text`;
      // The page is found in the policies alone, by an index where they are in the order of their names; then its rows get what stands elsewhere.
      return sql<Row>`
        with a as (
          select a.id, a.name, a.description, a.status, a.published_version_id, a.updated_at, ${key} as key
          from quorate.artifacts a ${by === 'version' ? versions : sql``} ${by === 'decisions' ? decisions : sql``}
          where ${meant} and ${where} order by ${order} limit ${limit})
        select a.id, a.name, a.description, ${STATUS} as status, v.number, coalesce(d.decisions, 0) as decisions, a.updated_at, a.key
        from a ${versions} ${decisions} order by ${order}`;
    },
  });
  return {
    list,
    policies: rows.map((row) => ({
      id: row.id,
      name: row.name,
      description: row.description,
      status: row.status,
      version: row.number,
      decisions: row.decisions,
      updatedAt: row.updated_at.toISOString(),
    })),
  };
}
