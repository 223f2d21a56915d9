import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { agentPresence } from '#app/domain/connections/agent-presence.ts';
import { cutPage, readNamedKey } from '#app/domain/connections/named-key.ts';
import { can } from '#app/domain/people/roles.ts';
import { BUILTIN_PATHS } from '#app/engine/connections/peer-target.ts';
import { isBusy } from '#app/engine/figures/run-scope.ts';

export const AGENT_PAGE_SIZE = 50;

type Row = {
  id: string;
  kind: 'authored' | 'remote';
  name: string;
  description: string;
  owner: string | null;
  paused: boolean;
  published: boolean;
  reachable: boolean;
  busy: number;
  last_call_at: Date | null;
  last_run: string | null;
};

/** Agents of both kinds by name: those of the member, or all (`?owner=all`). */
export async function loadAgentList({ context, url }: { context: Readonly<RouterContextProvider>; url: URL }) {
  const { member, read } = context.get(memberContext);
  const now = context.get(servicesContext).now();
  const all = url.searchParams.get('owner') === 'all';
  const query = (url.searchParams.get('q') ?? '').trim().slice(0, 200);
  const after = readNamedKey(url.searchParams.get('after'));
  const { rows, builtin } = await read(async (db) => ({
    rows: (
      await sql<Row>`
        with agents as (
          select a.id, 'authored' as kind, a.name, a.description, a.owner_id, a.published_version_id is not null as published,
            a.published_version_id is not null and a.status <> 'active' as paused,
            a.status = 'active' and coalesce(n.status = 'connected' and n.paused_at is null, false) as reachable
          from quorate.artifacts a
          left join quorate.versions v on v.id = a.published_version_id
          left join quorate.connections n on n.workspace_id = a.workspace_id and n.deleted_at is null
            and n.slug = v.document #>> array['agents', a.id::text, 'document', 'connection']
          where a.workspace_id = ${member.workspace.id} and a.kind = 'agent' and a.deleted_at is null
          union all
          select c.id, 'remote', c.name, c.description, c.owner_id, true, c.paused_at is not null, c.status = 'connected' and c.paused_at is null
          from quorate.connections c where c.workspace_id = ${member.workspace.id} and c.kind = 'a2a' and c.deleted_at is null
        ), shown as (
          select x.* from agents x
          where (${all} or x.owner_id = ${member.userId}) and (${query} = '' or strpos(lower(x.name || ' ' || x.description), lower(${query})) > 0)
            and ${after === null ? sql`true` : sql`(x.name, x.id) > (${after.name}, ${after.id}::uuid)`}
          order by x.name, x.id limit ${AGENT_PAGE_SIZE + 1}
        )
        select x.id, x.kind, x.name, x.description, m.name as owner, x.paused, x.published, x.reachable, g.busy, g.last_call_at, g.last_run
        from shown x
        left join quorate.members m on m.workspace_id = ${member.workspace.id} and m.user_id = x.owner_id
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
        order by x.name, x.id`.execute(db)
    ).rows,
    builtin: await db
      .selectFrom('quorate.connections')
      .where('workspace_id', '=', member.workspace.id)
      .where('kind', '=', 'a2a')
      .where('deleted_at', 'is', null)
      .where('endpoint', 'in', Object.keys(BUILTIN_PATHS))
      .select('id')
      .executeTakeFirst(),
  }));
  const { shown, next } = cutPage(rows, AGENT_PAGE_SIZE);
  return {
    all,
    query,
    next,
    url: `${url.pathname}${url.search}`,
    mayAuthor: can(member.roles, 'authorWorkflow'),
    mayConnect: can(member.roles, 'connect'),
    builtinMissing: builtin === undefined,
    agents: shown.map((row) => ({
      id: row.id,
      kind: row.kind,
      path:
        row.kind === 'authored'
          ? href('/dashboard/agents/authored/:agent', { agent: row.id })
          : href('/dashboard/agents/:connection', { connection: row.id }),
      name: row.name,
      description: row.description,
      owner: row.owner,
      paused: row.paused,
      published: row.published,
      presence: agentPresence({ status: row.reachable ? 'connected' : 'disconnected', busy: row.busy, lastCallAt: row.last_call_at }, now),
      lastRun: row.last_run === null || row.last_call_at === null ? null : { id: row.last_run, at: row.last_call_at.toISOString() },
    })),
  };
}
export type LoadedAgentList = Awaited<ReturnType<typeof loadAgentList>>;
