import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { Verdict } from '#app/contracts/statuses.ts';

export type DecisionRow = { id: string; at: string; verdict: Verdict; reason: Explanation; runId: string };

/** The latest decisions that a rule determined, or that a policy's rules in monitor mode would have, as far as the member may see their runs. The condition on verdict and rules is the index's. */
export async function loadDecisions(
  db: Db,
  options: { since?: Date; policyId?: string; monitoredBy?: string; violationsOnly?: boolean; limit: number },
): Promise<DecisionRow[]> {
  let query = db
    .selectFrom('quorate.decisions')
    .select(['id', 'decided_at', 'verdict', 'reason', 'run_id'])
    .where(sql<boolean>`workspace_id = quorate.current_workspace_id()`)
    .where(
      options.monitoredBy === undefined
        ? sql<boolean>`(verdict <> 'allow' or rules <> '[]'::jsonb)`
        : sql<boolean>`context ? 'monitored' and context -> 'monitored' @> ${JSON.stringify([{ policyId: options.monitoredBy }])}::jsonb`,
    );
  if (options.since !== undefined) query = query.where('decided_at', '>=', options.since);
  if (options.violationsOnly === true) query = query.where('verdict', 'in', ['warn', 'deny']);
  if (options.policyId !== undefined)
    query = query.where(sql<boolean>`rules @> ${JSON.stringify([{ policyId: options.policyId }])}::jsonb`);
  const rows = await query.orderBy('decided_at', 'desc').orderBy('id', 'desc').limit(options.limit).execute();
  return rows.map((row) => ({ id: row.id, at: row.decided_at.toISOString(), verdict: row.verdict, reason: row.reason, runId: row.run_id }));
}
