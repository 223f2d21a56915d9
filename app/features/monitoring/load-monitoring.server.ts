import { sql } from 'kysely';
import { data, type RouterContextProvider } from 'react-router';
import { agentPresence } from '#app/domain/agent-presence.ts';
import { cutPage, readNamedKey } from '#app/domain/named-key.ts';
import { may } from '#app/domain/roles.ts';
import type { ConnectionStatus } from '#app/domain/statuses.ts';
import { readWindow } from '#app/domain/time-window.ts';
import { RUNS_LOOKED_INTO } from '#app/engine/figures/run-scope.ts';
import { memberContext, servicesContext } from '#app/request-context.ts';

const PAGE_SIZE = 50;
/** Of each skill, the newest of a window. */
const CALLS_LOOKED_AT = 1_000;

/** The agents of the workspace, by name and page: how each stands, and what was asked of it in a window, as far as the member may see the runs. */
export async function loadMonitoring({ url, context }: { url: URL; context: Readonly<RouterContextProvider> }) {
  const { member, read } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  const { window, choice, valid } = readWindow(url.searchParams, now, '24h');
  const after = readNamedKey(url.searchParams.get('after'));
  const own = may(member.roles, 'seeAllRuns') ? null : member.userId;
  // Who sees only their own runs has few calls among everybody's: they are reached from those runs.
  const calls =
    own === null
      ? sql`quorate.steps`
      : sql`(select s.* from (select r.id from quorate.runs r where r.workspace_id = ${member.workspace.id} and r.initiator_id = ${own} and r.created_at < ${window.until}
          order by r.created_at desc, r.id desc limit ${RUNS_LOOKED_INTO}) r join quorate.steps s on s.run_id = r.id where s.capability_id is not null)`;
  const { rows } = await read((db) =>
    sql<{
      id: string;
      kind: 'authored' | 'remote';
      name: string;
      status: ConnectionStatus;
      last_check_at: Date | null;
      busy: number;
      last_call_at: Date | null;
      last_run: string | null;
      calls: number;
      errors: number;
      median_ms: number | null;
      p95_ms: number | null;
    }>`
      with calls as ${own === null ? sql`not materialized` : sql`materialized`} (select n.run_id, n.capability_id, n.status, n.started_at, n.finished_at from ${calls} n),
      agents as (
        select c.id, 'remote' as kind, c.name, case when c.paused_at is null then c.status else 'disconnected' end as status, c.last_check_at
        from quorate.connections c where c.workspace_id = ${member.workspace.id} and c.kind = 'a2a' and c.deleted_at is null
        union all
        select a.id, 'authored', a.name,
          case when a.status = 'active' and coalesce(n.status = 'connected' and n.paused_at is null, false) then 'connected' else 'disconnected' end, null
        from quorate.artifacts a
        left join quorate.versions v on v.id = a.published_version_id
        left join quorate.connections n on n.workspace_id = a.workspace_id and n.deleted_at is null
          and n.slug = v.document #>> array['agents', a.id::text, 'document', 'connection']
        where a.workspace_id = ${member.workspace.id} and a.kind = 'agent' and a.deleted_at is null),
      shown as (
        select x.* from agents x where ${after === null ? sql`true` : sql`(x.name, x.id) > (${after.name}, ${after.id}::uuid)`}
        order by x.name, x.id limit ${PAGE_SIZE + 1})
      select x.*, g.* from shown x cross join lateral (
        select (count(*) filter (where s.status = 'processing'))::int as busy, max(s.started_at) as last_call_at, (array_agg(s.run_id order by s.started_at desc))[1]::text as last_run,
          (count(*) filter (where s.finished_at is not null))::int as calls, (count(*) filter (where s.status = 'error'))::int as errors,
          percentile_cont(0.5) within group (order by date_part('epoch', s.finished_at - s.started_at) * 1000) filter (where s.status = 'success') as median_ms,
          percentile_cont(0.95) within group (order by date_part('epoch', s.finished_at - s.started_at) * 1000) filter (where s.status = 'success') as p95_ms
        from (
          (select t.run_id, t.status, t.started_at, t.finished_at from quorate.capabilities k cross join lateral (
              select n.run_id, n.status, n.started_at, n.finished_at from calls n
              where n.capability_id = k.id and n.started_at >= ${window.from} and n.started_at < ${window.until} and n.status <> 'skipped'
              order by n.started_at desc limit ${CALLS_LOOKED_AT}) t
            where k.connection_id = x.id)
          union all
          (select y.run_id, y.status, y.started_at, y.finished_at from quorate.steps y
            where y.agent_id = x.id and y.started_at >= ${window.from} and y.started_at < ${window.until}
            order by y.started_at desc limit ${CALLS_LOOKED_AT})) s) g
      order by x.name, x.id`.execute(db),
  );
  const { shown, next } = cutPage(rows, PAGE_SIZE);
  const loaded = {
    window: { choice, valid, from: window.from.toISOString(), until: window.until.toISOString() },
    mayCheck: may(member.roles, 'connect') || member.roles.includes('admin'),
    mayCheckAuthored: may(member.roles, 'connect') && may(member.roles, 'authorWorkflow'),
    url: `${url.pathname}${url.search}`,
    next,
    agents: shown.map((row) => ({
      id: row.id,
      kind: row.kind,
      path: row.kind === 'authored' ? `/dashboard/agents/authored/${row.id}` : `/dashboard/agents/${row.id}`,
      name: row.name,
      presence: agentPresence({ status: row.status, busy: row.busy, lastCallAt: row.last_call_at }, now),
      lastCheckAt: row.last_check_at?.toISOString() ?? null,
      lastRun: row.last_run === null || row.last_call_at === null ? null : { id: row.last_run, at: row.last_call_at.toISOString() },
      calls: row.calls,
      errors: row.errors,
      medianMs: row.median_ms,
      p95Ms: row.p95_ms,
    })),
  };
  return data(loaded, { status: valid ? 200 : 400 });
}
export type LoadedMonitoring = Awaited<ReturnType<typeof loadMonitoring>>['data'];
