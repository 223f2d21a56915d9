import type { Db } from '#app/contracts/db.ts';
import type { Json } from '#app/contracts/json.ts';
import { type Evidence, evidenceOfPack, type LogIdentity } from '#app/engine/audit/evidence.ts';
import { journalRecords } from '#app/engine/audit/journal-hash.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import type { PackSummary } from '#app/engine/packs/summarise.ts';

/** A drawn decision as the journal of its run hashed it, and the entry that closed the run; null while it is open. */
export type PackDecision = { record: { [key: string]: Json }; run: string; entry: string | null };
export type PackProofs = { decisions: PackDecision[]; evidence: Evidence };

/** The proofs of everything that was drawn: of each entry its own, of each decision the entry that closed its run and names it. */
export async function readProofs(db: Db, log: LogIdentity, scope: PackScope, summary: PackSummary): Promise<PackProofs> {
  const drawn = summary.controls.flatMap(({ sample }) => sample);
  const idsOf = (kind: 'entry' | 'decision') => [...new Set(drawn.filter((record) => record.kind === kind).map(({ id }) => id))];
  const rows = await readDrawnDecisions(db, idsOf('decision'));
  const runs = [...new Set(rows.map((row) => row.run_id))];
  const closings = await readClosings(db, scope, runs);
  const decisions = rows.flatMap((row) =>
    journalRecords([], [row]).map(({ record }) => ({ record, run: row.run_id, entry: closings.get(row.run_id) ?? null })),
  );
  const { framework, from, until } = scope.question;
  const entries = [...new Set([...idsOf('entry'), ...closings.values()])];
  const evidence = await evidenceOfPack(db, log, scope.workspace.id, { id: `${framework} ${from}/${until}`, entries });
  return { decisions, evidence };
}

async function readDrawnDecisions(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return await db.selectFrom('quorate.decisions').selectAll().where('id', 'in', ids).orderBy('decided_at').orderBy('id').execute();
}

/** The entries that closed these runs, as far as the pack's checkpoint covers them. */
async function readClosings(db: Db, { workspace, size }: PackScope, runs: readonly string[]): Promise<Map<string, string>> {
  if (runs.length === 0) return new Map();
  const rows = await db
    .selectFrom('quorate.audit_events')
    .select(['id', 'resource_id'])
    .where('workspace_id', '=', workspace.id)
    .where('resource_kind', '=', 'run')
    .where('resource_id', 'in', runs)
    .where('action', 'in', ['run.completed', 'run.failed', 'run.cancelled'])
    .where('leaf_index', '<', size)
    .execute();
  return new Map(rows.map((row) => [row.resource_id, row.id]));
}
