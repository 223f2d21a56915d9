import { sql } from 'kysely';
import { href, type RouterContextProvider } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import { memberContext, servicesContext } from '#app/contracts/request-context.ts';
import { reviewState } from '#app/domain/inventory/agent-record.ts';
import { assertPermission, can } from '#app/domain/people/roles.ts';
import { findAgent } from '#app/engine/inventory/find-agent.ts';
import { readAgentRecord } from '#app/engine/inventory/read-agent-record.ts';
import { readUses } from '#app/engine/inventory/read-uses.ts';
import { requireAgentId } from '#app/features/agents/load-agent.server.ts';

type Context = Readonly<RouterContextProvider>;

/** An agent of the inventory with its record, where it is used, and incidents that it is in. */
export function loadRecord(context: Context, agent: string) {
  const { member, read } = context.get(memberContext);
  assertPermission(member.roles, 'seeAllRuns');
  const today = context.get(servicesContext).now().toISOString().slice(0, 10);
  return read(async (db) => {
    const found = await findAgent(db, member.workspace.id, requireAgentId(agent));
    const kept = await readAgentRecord(db, found.id);
    return {
      id: found.id,
      name: found.name,
      kind: found.kind,
      path:
        found.kind === 'authored'
          ? href('/dashboard/agents/authored/:agent', { agent: found.id })
          : href('/dashboard/agents/:connection', { connection: found.id }),
      mayKeep: can(member.roles, 'keepInventory'),
      kept,
      review: reviewState(kept?.record.reviewOn ?? null, today),
      uses: await readUses(db, member.workspace.id, found),
      incidents: await readIncidents(db, member.workspace.id, found.id),
      members: await db
        .selectFrom('quorate.members')
        .where('workspace_id', '=', member.workspace.id)
        .orderBy('name')
        .limit(500)
        .select(['user_id as id', 'name'])
        .execute(),
    };
  });
}
export type LoadedRecord = Awaited<ReturnType<typeof loadRecord>>;

/** The latest incidents that name the agent, or its connection. */
async function readIncidents(db: Db, workspaceId: string, agent: string) {
  const named = (kind: string) => JSON.stringify([{ kind, id: agent }]);
  const { rows } = await sql<{ id: string; number: number; title: string; closed: boolean }>`
    select i.id, i.number, i.title, i.closed_at is not null as closed from quorate.incidents i
    where i.workspace_id = ${workspaceId} and (i.touches @> ${named('agent')}::jsonb or i.touches @> ${named('connection')}::jsonb)
    order by i.recorded_at desc limit 20`.execute(db);
  return rows;
}
