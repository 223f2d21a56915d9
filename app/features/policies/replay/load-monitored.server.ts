import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Verdict } from '#app/contracts/statuses.ts';
import { type DecisionRow, loadDecisions } from '#app/features/policies/replay/load-decisions.server.ts';

const DAYS = 30;
const SHOWN = 20;

export type Monitored = { counts: { rule: string; verdict: Verdict; decisions: number }[]; decisions: DecisionRow[] };

/** The decisions that a policy's rules in monitor mode would have made in the last 30 days, and the latest of these decisions that the member may see. */
export async function loadMonitored(db: Db, policyId: string, now: Date): Promise<Monitored> {
  const since = new Date(now.getTime() - DAYS * 86_400_000);
  const { rows } = await sql<Monitored['counts'][number]>`
    select rule, verdict, decisions from quorate.count_monitored(${policyId}, ${since})`.execute(db);
  const decisions = rows.length === 0 ? [] : await loadDecisions(db, { since, monitoredBy: policyId, limit: SHOWN });
  return { counts: rows, decisions };
}
