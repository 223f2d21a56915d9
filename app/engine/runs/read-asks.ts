import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { RunAsk } from '#app/contracts/runs.ts';

/** `runId`: the run that was asked about; `of`: the run whose step asks, which it has called if it is another one. */
export type FoundAsk = RunAsk & { runId: string; of: string };

/**
 * Decisions, forms and sign-ins that these runs wait for, those of runs that they have called included: the oldest first. The id is null where the reader sees the
 * run and not the approval. Nothing of a run that has ended.
 */
export async function readAsks(db: Db, runs: readonly string[]): Promise<FoundAsk[]> {
  if (runs.length === 0) return [];
  const { rows } = await sql<{ runId: string; of: string; what: RunAsk['what']; id: string | null }>`
    select l.run_id as "runId", l.of_run as of, l.kind as what, case l.kind
      when 'approval' then (select p.id from quorate.approvals p where p.id = l.id)
      when 'signIn' then (select c.id from quorate.connections c where c.id = l.id)
      else (select t.id from quorate.human_tasks t where t.id = l.id) end as id
    from quorate.list_asks(${[...runs]}::uuid[]) l order by l.id`.execute(db);
  return rows;
}

/** The oldest of each run. */
export async function readFirstAsks(db: Db, runs: readonly string[]): Promise<Map<string, FoundAsk>> {
  const first = new Map<string, FoundAsk>();
  for (const ask of await readAsks(db, runs)) if (!first.has(ask.runId)) first.set(ask.runId, ask);
  return first;
}
