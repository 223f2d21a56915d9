import { sql } from 'kysely';
import { AppError } from '#app/domain/errors.ts';
import { PLANS, planInForce } from '#app/domain/plans.ts';
import type { Db } from '#app/engine/db.ts';
import { readUsage } from '#app/engine/plans/read-usage.ts';

/**
 * Refuses an agent or a workflow beyond the plan's number. Inside the transaction that makes it.
 * @throws AppError quota_exceeded, with `what` and `limit`
 */
export async function requireRoom(db: Db, workspaceId: string, what: 'agents' | 'workflows', now = new Date()): Promise<void> {
  const workspace = await db
    .selectFrom('quorate.workspaces')
    .where('id', '=', workspaceId)
    .select(['plan', 'trial_ends_at'])
    .executeTakeFirstOrThrow();
  const limit = PLANS[planInForce(workspace, now)][what];
  if (limit === null) return;
  // who creates at the same time waits here, so that each counts the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${what} || ':' || ${workspaceId}, 0))`.execute(db);
  const used = (await readUsage(db, workspaceId, now))[what];
  if (used >= limit) throw new AppError('quota_exceeded', { values: { what, limit } });
}
