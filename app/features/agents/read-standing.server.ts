import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { ConnectionStatus } from '#app/contracts/statuses.ts';
import { isBusy } from '#app/engine/figures/run-scope.ts';

/** The facts behind the presence of an agent, as far as the member may see the runs. */
export async function readStanding(
  db: Db,
  agent: { workspaceId: string; id: string },
): Promise<{ status: ConnectionStatus; busy: number; lastCallAt: Date | null }> {
  const { rows } = await sql<{ reachable: boolean; busy: number; last_call_at: Date | null }>`
    select a.status = 'active' and coalesce(n.status = 'connected' and n.paused_at is null, false) as reachable, g.busy, g.last_call_at
    from quorate.artifacts a
    left join quorate.versions v on v.id = a.published_version_id
    left join quorate.connections n on n.workspace_id = a.workspace_id and n.deleted_at is null
      and n.slug = v.document #>> array['agents', a.id::text, 'document', 'connection']
    cross join lateral (select (count(*) filter (where s.busy))::int as busy, max(s.started_at) as last_call_at
      from (select ${isBusy('x')} as busy, x.started_at from quorate.steps x where x.agent_id = a.id order by x.started_at desc limit 50) s) g
    where a.workspace_id = ${agent.workspaceId} and a.id = ${agent.id}`.execute(db);
  const [row] = rows;
  return { status: row?.reachable === true ? 'connected' : 'disconnected', busy: row?.busy ?? 0, lastCallAt: row?.last_call_at ?? null };
}
