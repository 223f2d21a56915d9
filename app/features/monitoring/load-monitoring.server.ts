import { sql } from 'kysely';
import { data, href, type RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import type { ConnectionStatus } from '#app/contracts/statuses.ts';
import { agentPresence } from '#app/domain/connections/agent-presence.ts';
import { cutPage, type NamedKey, readNamedKey } from '#app/domain/connections/named-key.ts';
import { can } from '#app/domain/people/roles.ts';
import { readWindow, type TimeWindow } from '#app/domain/runs/time-window.ts';
import { isBusy, RUNS_LOOKED_INTO, type RunScope, waitedMs } from '#app/engine/figures/run-scope.ts';

const PAGE_SIZE = 50;
/** Of each skill, the newest of a window. */
const CALLS_LOOKED_AT = 1_000;

/** The agents of the workspace, by name and page: their state and their calls in a window, as far as the member may see the runs. */
export async function loadMonitoring({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  const { window, choice, valid } = readWindow(url.searchParams, now, '24h');
  const after = readNamedKey(url.searchParams.get('after'));
  const own = can(member.roles, 'seeAllRuns') ? null : member.userId;
  const { shown, next } = cutPage(await read((db) => listAgents(db, member.workspace.id, after)), PAGE_SIZE);
  const ids = shown.map(({ id }) => id);
  // Runs of many agents lie far apart in a long history: two halves side by side. One's own runs are read once.
  const parts = own === null ? [ids.slice(0, ids.length / 2), ids.slice(ids.length / 2)] : [ids];
  const scope = { workspaceId: member.workspace.id, own };
  const asked = await Promise.all(parts.map((part) => read((db) => readCalls(db, scope, window, part))));
  const callsOf = new Map(asked.flat().map((calls) => [calls.id, calls]));
  const loaded = {
    window: { choice, valid, from: window.from.toISOString(), until: window.until.toISOString() },
    mayCheck: can(member.roles, 'connect') || member.roles.includes('admin'),
    mayCheckAuthored: can(member.roles, 'connect') && can(member.roles, 'authorWorkflow'),
    url: `${url.pathname}${url.search}`,
    next,
    agents: shown.map((row) => {
      const calls = callsOf.get(row.id) ?? NO_CALLS;
      return {
        id: row.id,
        kind: row.kind,
        path:
          row.kind === 'authored'
            ? href('/dashboard/agents/authored/:agent', { agent: row.id })
            : href('/dashboard/agents/:connection', { connection: row.id }),
        name: row.name,
        presence: agentPresence({ status: row.status, busy: calls.busy, lastCallAt: calls.lastCallAt }, now),
        lastCheckAt: row.lastCheckAt?.toISOString() ?? null,
        lastRun: calls.lastRun === null || calls.lastCallAt === null ? null : { id: calls.lastRun, at: calls.lastCallAt.toISOString() },
        calls: calls.calls,
        errors: calls.errors,
        medianMs: calls.medianMs,
        p95Ms: calls.p95Ms,
      };
    }),
  };
  return data(loaded, { status: valid ? 200 : 400 });
}
export type LoadedMonitoring = Awaited<ReturnType<typeof loadMonitoring>>['data'];

type Agent = { id: string; kind: 'authored' | 'remote'; name: string; status: ConnectionStatus; lastCheckAt: Date | null };

/** Agents of both kinds by name, one page and one more. */
async function listAgents(db: Db, workspaceId: string, after: NamedKey | null): Promise<Agent[]> {
  const { rows } = await sql<Agent>`
    select x.* from (
      select c.id, 'remote' as kind, c.name, case when c.paused_at is null then c.status else 'disconnected' end as status, c.last_check_at as "lastCheckAt"
      from quorate.connections c where c.workspace_id = ${workspaceId} and c.kind = 'a2a' and c.deleted_at is null
      union all
      select a.id, 'authored', a.name,
        case when a.status = 'active' and coalesce(n.status = 'connected' and n.paused_at is null, false) then 'connected' else 'disconnected' end, null
      from quorate.artifacts a
      left join quorate.versions v on v.id = a.published_version_id
      left join quorate.connections n on n.workspace_id = a.workspace_id and n.deleted_at is null
        and n.slug = v.document #>> array['agents', a.id::text, 'document', 'connection']
      where a.workspace_id = ${workspaceId} and a.kind = 'agent' and a.deleted_at is null) x
    where ${after === null ? sql`true` : sql`(x.name, x.id) > (${after.name}, ${after.id}::uuid)`}
    order by x.name, x.id limit ${PAGE_SIZE + 1}`.execute(db);
  return rows;
}

type Calls = {
  id: string;
  busy: number;
  lastCallAt: Date | null;
  lastRun: string | null;
  calls: number;
  errors: number;
  medianMs: number | null;
  p95Ms: number | null;
};
const NO_CALLS = { busy: 0, lastCallAt: null, lastRun: null, calls: 0, errors: 0, medianMs: null, p95Ms: null };

/** Calls of these agents in a window. */
async function readCalls(db: Db, scope: RunScope, window: TimeWindow, agents: readonly string[]): Promise<Calls[]> {
  // Who sees only their own runs has few calls among everyone's: they are reached from those runs.
  const calls =
    scope.own === null
      ? sql`quorate.steps`
      : sql`(select s.* from (select r.id from quorate.runs r where r.workspace_id = ${scope.workspaceId} and r.initiator_id = ${scope.own} and r.created_at < ${window.until}
          order by r.created_at desc, r.id desc limit ${RUNS_LOOKED_INTO}) r join quorate.steps s on s.run_id = r.id where s.capability_id is not null)`;
  const { rows } = await sql<Calls>`
    with calls as ${scope.own === null ? sql`not materialized` : sql`materialized`} (select n.run_id, n.path, n.capability_id, n.status, n.kind, n.approval_id, n.agent_id, n.started_at, n.finished_at from ${calls} n)
    select x.id, g.* from unnest(${agents}::uuid[]) x(id) cross join lateral (
      select (count(*) filter (where ${isBusy('s')}))::int as busy, max(s.started_at) as "lastCallAt", (array_agg(s.run_id order by s.started_at desc))[1]::text as "lastRun",
        (count(*) filter (where s.finished_at is not null))::int as calls, (count(*) filter (where s.status = 'error'))::int as errors,
        percentile_cont(0.5) within group (order by date_part('epoch', s.finished_at - s.started_at) * 1000 - s.waited) filter (where s.status = 'success') as "medianMs",
        percentile_cont(0.95) within group (order by date_part('epoch', s.finished_at - s.started_at) * 1000 - s.waited) filter (where s.status = 'success') as "p95Ms"
      from (
        (select t.run_id, t.status, t.started_at, t.finished_at, t.waited from quorate.capabilities k cross join lateral (
            select n.run_id, n.status, n.started_at, n.finished_at, ${waitedMs('n')} as waited from calls n
            where n.capability_id = k.id and n.started_at >= ${window.from} and n.started_at < ${window.until} and n.status <> 'skipped'
            order by n.started_at desc limit ${CALLS_LOOKED_AT}) t
          where k.connection_id = x.id)
        union all
        (select y.run_id, y.status, y.started_at, y.finished_at, ${waitedMs('y')} as waited from quorate.steps y
          where y.agent_id = x.id and y.started_at >= ${window.from} and y.started_at < ${window.until}
          order by y.started_at desc limit ${CALLS_LOOKED_AT})) s) g`.execute(db);
  return rows;
}
