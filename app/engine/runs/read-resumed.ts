import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { RunStatus } from '#app/contracts/statuses.ts';

/**
 * The work of a step that a run continuing from it takes over: items or rounds of a loop, calls of tools by an agent, or the run that it
 * called. `limit`: all rounds that it
 * might make are used up, and it makes as many more. The called run `failed`, was `cancelled`, has `completed` since or is still `open`.
 */
export type Resumed =
  | { kind: 'items'; kept: number; count: number }
  | { kind: 'rounds' | 'limit' | 'calls'; kept: number }
  | { kind: 'failed' | 'cancelled' | 'completed' | 'open' };

/** As `quorate.copy_begun` will do it. `version`: the number of the one that the step asks for, or null. Null: the step begins again. */
export async function readResumed(db: Db, runId: string, path: string, version: number | null): Promise<Resumed | null> {
  const { rows } = await sql<{
    resumed: boolean;
    agent: boolean;
    kept: number;
    count: number | null;
    limit: boolean | null;
    called: RunStatus | null;
  }>`
    select quorate.is_resumed(s) as resumed, s.agent_id is not null as agent, pg_catalog.json_array_length(s.input -> 'items') as count,
      s.error ->> 'key' = 'repeatLimit' as "limit",
      (select count(*)::int from quorate.steps i
        where i.run_id = s.run_id and i.status = 'success' and case when s.agent_id is null
          then i.item_of = s.path and i.item_index is not null
          else starts_with(i.path, s.path || '/turn_') and i.kind <> 'model' end) as kept,
      quorate.read_try(s, ${version}) as called
    from quorate.steps s where s.run_id = ${runId} and s.path = ${path}`.execute(db);
  const [row] = rows;
  if (row?.resumed === true && row.agent) return { kind: 'calls', kept: row.kept };
  if (row?.resumed === true && row.count !== null) return { kind: 'items', kept: row.kept, count: row.count };
  if (row?.resumed === true) return { kind: row.limit === true ? 'limit' : 'rounds', kept: row.kept };
  if (row === undefined || row.called === null) return null;
  return { kind: row.called === 'failed' || row.called === 'cancelled' || row.called === 'completed' ? row.called : 'open' };
}
