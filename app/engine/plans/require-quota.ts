import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { PLANS, planInForce } from '#app/domain/people/plans.ts';
import { refusal } from '#app/domain/refusal.ts';
import { readUsage } from '#app/engine/plans/read-usage.ts';

const FULL = { agents: 'agentsFull', workflows: 'workflowsFull' } as const;

/** How much room the plan in force has; null: it sets no limit. Throws when that cannot be told, so that nobody gets past it. */
export async function readQuota(
  db: Db,
  workspaceId: string,
  what: 'agents' | 'workflows',
  now: Date,
): Promise<{ limit: number; full: boolean } | null> {
  const workspace = await db
    .selectFrom('quorate.workspaces')
    .where('id', '=', workspaceId)
    .select(['plan', 'trial_ends_at'])
    .executeTakeFirstOrThrow();
  const limit = PLANS[planInForce(workspace, now)][what];
  if (limit === null) return null;
  return { limit, full: (await readUsage(db, workspaceId, now))[what] >= limit };
}

/**
 * Refuses an agent or a workflow beyond the plan's number. Inside the transaction that makes it.
 * @throws Refusal quota_exceeded, with `what` and `limit`
 */
export async function requireQuota(db: Db, workspaceId: string, what: 'agents' | 'workflows', now = new Date()): Promise<void> {
  await holdPlan(db, workspaceId);
  const room = await readQuota(db, workspaceId, what, now);
  if (room?.full) throw refusal('quota_exceeded', FULL[what], { what, values: { limit: room.limit } });
}

/** Commands that use up a plan and the command that changes it wait here for each other, so that each counts the other's effect. */
export async function holdPlan(db: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plan:' || ${workspaceId}, 0))`.execute(db);
}
