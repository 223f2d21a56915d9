import { type RawBuilder, sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { csvResponse, FILE } from '#app/components/list/csv-response.server.ts';
import { inReadersLanguage } from '#app/components/text/shipped-texts.server.ts';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { agentPresence } from '#app/domain/connections/agent-presence.ts';
import { can } from '#app/domain/people/roles.ts';
import type { ListAddress } from '#app/domain/web/list-address.ts';
import { readSearchWords } from '#app/domain/web/search-words.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { type CsvColumn, writeListCsv } from '#app/engine/documents/write-csv.ts';
import { isBusy } from '#app/engine/figures/run-scope.ts';
import { chosenOf, type ListExtent, type ListStatement, readListPage } from '#app/engine/lists/read-list-page.ts';

const PAGE: ListExtent = { size: 50, counted: true };
const AGENTS: ListAddress = { name: 'agents', path: href('/dashboard/agents'), params: ['q', 'owner', 'kind', 'state', 'sort'] };
const KINDS = ['authored', 'remote'] as const;
const STATES = ['ready', 'draft', 'paused'] as const;

type Context = Readonly<RouterContextProvider>;
type Row = {
  id: string;
  kind: (typeof KINDS)[number];
  state: (typeof STATES)[number];
  name: string;
  description: string;
  owner: string | null;
  reachable: boolean;
  busy: number;
  last_call_at: Date | null;
  last_run: string | null;
  key: string;
};

const ORDERS = {
  name: { by: sql`x.name`, as: 'text' },
  state: { by: sql`x.state`, as: 'text' },
  kind: { by: sql`x.kind`, as: 'text' },
  owner: { by: sql`coalesce(m.name, '')`, as: 'text' },
} as const;

/**
 * Agents of one kind as `x`, with what their own row says. Their kinds are two tables: a page is found in each by its own order, and the first
 * of both together are the page.
 */
const authored = (workspaceId: string) => sql`(
  select a.id, 'authored' as kind, a.name, a.description, a.owner_id, a.status = 'active' as active, a.published_version_id,
    case when a.published_version_id is null then 'draft' when a.status <> 'active' then 'paused' else 'ready' end as state
  from quorate.artifacts a where a.workspace_id = ${workspaceId} and a.kind = 'agent' and a.deleted_at is null) x`;
const remote = (workspaceId: string) => sql`(
  select c.id, 'remote' as kind, c.name, c.description, c.owner_id, c.status = 'connected' and c.paused_at is null as active,
    null::uuid as published_version_id, case when c.paused_at is null then 'ready' else 'paused' end as state
  from quorate.connections c where c.workspace_id = ${workspaceId} and c.kind = 'a2a' and c.deleted_at is null) x`;

/** Agents of both kinds by name: those of the member, or all (`?owner=all`). */
export async function loadAgentList({ context, url }: { context: Context; url: URL }) {
  const { member, read } = context.get(memberContext);
  const { builtin, ...listed } = await read(async (db) => ({
    ...(await readAgents(db, context, url.searchParams)),
    builtin: await db
      .selectFrom('quorate.connections')
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', '=', 'a2a')
      .where('deleted_at', 'is', null)
      .where('endpoint', 'in', Object.keys(BUILTIN_PATHS))
      .select('id')
      .executeTakeFirst(),
  }));
  return {
    ...inReadersLanguage(context, listed),
    mayAuthor: can(member.roles, 'authorWorkflow'),
    mayConnect: can(member.roles, 'connect'),
    maySeeInventory: can(member.roles, 'seeAllRuns'),
    builtinMissing: builtin === undefined,
  };
}
export type LoadedAgentList = Awaited<ReturnType<typeof loadAgentList>>;
export type AgentRow = LoadedAgentList['agents'][number];

const COLUMNS: readonly CsvColumn<AgentRow>[] = [
  ['agent_id', (row) => row.id],
  ['name', (row) => row.name],
  ['description', (row) => row.description],
  ['presence', (row) => row.presence, 'presence'],
  ['state', (row) => row.state, 'state'],
  ['kind', (row) => row.kind, 'kind'],
  ['last_run_at', (row) => row.lastRun?.at ?? null, 'lastRun'],
  ['owner', (row) => row.owner, 'owner'],
];

export async function downloadAgents(context: Context, url: URL): Promise<Response> {
  const { agents, list } = await context.get(memberContext).read((db) => readAgents(db, context, url.searchParams, FILE));
  return csvResponse(list.name, writeListCsv(COLUMNS, agents, list.hidden));
}

async function readAgents(db: Db, context: Context, params: URLSearchParams, extent = PAGE) {
  const { member } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  const who = { workspaceId: member.workspace.id, userId: member.userId };
  const all = params.get('owner') === 'all';
  const query = readSearchWords(params.get('q')).words;
  const meant = sql`(${all} or x.owner_id = ${who.userId})
    and (${query} = '' or strpos(lower(x.name || ' ' || x.description), lower(${query})) > 0)`;
  const kinds = [authored(who.workspaceId), remote(who.workspaceId)];
  const { list, rows } = await readListPage(db, {
    who,
    address: AGENTS,
    params,
    orders: ORDERS,
    sort: { by: 'name', descending: false },
    id: sql`x.id`,
    facets: {
      state: { value: sql`x.state`, chosen: chosenOf(STATES, params, 'state') },
      kind: { value: sql`x.kind`, chosen: chosenOf(KINDS, params, 'kind') },
    },
    counted: sql`from (${sql.join(
      kinds.map((kind) => sql`select x.state, x.kind from ${kind} where ${meant}`),
      sql` union all `,
    )}) x where true`,
    extent,
    page: (page) => withLatestCalls(who.workspaceId, kinds, meant, page),
  });
  return {
    all,
    list,
    agents: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      path:
        row.kind === 'authored'
          ? href('/dashboard/agents/authored/:agent', { agent: row.id })
          : href('/dashboard/agents/:connection', { connection: row.id }),
      name: row.name,
      description: row.description,
      owner: row.owner,
      state: row.state,
      presence: agentPresence({ status: row.reachable ? 'connected' : 'disconnected', busy: row.busy, lastCallAt: row.last_call_at }, now),
      lastRun: row.last_run === null || row.last_call_at === null ? null : { id: row.last_run, at: row.last_call_at.toISOString() },
    })),
  };
}

/** A page of agents, each with whether it can be reached, how busy it is and its newest call. `meant`: without any facet. */
const withLatestCalls = (
  workspaceId: string,
  kinds: readonly RawBuilder<unknown>[],
  meant: RawBuilder<unknown>,
  { by, key, where, order, limit }: ListStatement,
) => {
  const owners = sql`left join quorate.members m on m.workspace_id = ${workspaceId} and m.user_id = x.owner_id`;
  const firstOf = (kind: RawBuilder<unknown>) =>
    sql`(select x.*, ${key} as key from ${kind} ${by === 'owner' ? owners : sql``} where ${meant} and ${where} order by ${order} limit ${limit})`;
  return sql<Row>`
  with x as (
    select x.* from (${sql.join(kinds.map(firstOf), sql` union all `)}) x ${by === 'owner' ? owners : sql``} order by ${order} limit ${limit})
  select x.id, x.kind, x.state, x.name, x.description, x.key, m.name as owner, g.busy, g.last_call_at, g.last_run,
    x.active and (x.kind = 'remote' or coalesce(n.status = 'connected' and n.paused_at is null, false)) as reachable
  from x ${owners}
  left join quorate.versions v on v.id = x.published_version_id
  left join quorate.connections n on n.workspace_id = ${workspaceId} and n.deleted_at is null
    and n.slug = v.document #>> array['agents', x.id::text, 'document', 'connection']
  cross join lateral (
    select (count(*) filter (where s.busy))::int as busy, max(s.started_at) as last_call_at,
      (array_agg(s.run_id order by s.started_at desc))[1]::text as last_run
    from (
      (select ${isBusy('t')} as busy, t.started_at, t.run_id from quorate.steps t where t.agent_id = x.id order by t.started_at desc limit 50)
      union all
      (select t.busy, t.started_at, t.run_id from quorate.capabilities k cross join lateral (
          select ${isBusy('y')} as busy, y.started_at, y.run_id from quorate.steps y where y.capability_id = k.id order by y.started_at desc limit 50) t
        where k.connection_id = x.id)
    ) s) g
  order by ${order}`;
};
