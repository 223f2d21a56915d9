import { sql } from 'kysely';
import { AppError } from '#app/domain/errors.ts';
import { PLANS, planInForce } from '#app/domain/plans.ts';
import type { Db } from '#app/engine/db.ts';

/**
 * Refuses a workflow beyond the plan's number.
 * @throws AppError quota_exceeded
 */
export async function requireWorkflowRoom(db: Db, workspaceId: string, now = new Date()): Promise<void> {
  const workspace = await db
    .selectFrom('quorate.workspaces')
    .where('id', '=', workspaceId)
    .select(['plan', 'trial_ends_at'])
    .executeTakeFirstOrThrow();
  const limit = PLANS[planInForce(workspace, now)].workflows;
  if (limit === null) return;
  // who creates at the same time waits here, so that each counts the other
  await sql`select pg_advisory_xact_lock(hashtextextended('workflows:' || ${workspaceId}, 0))`.execute(db);
  const { count } = await db
    .selectFrom('quorate.artifacts')
    .where('kind', '=', 'workflow')
    .where('deleted_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= limit) throw new AppError('quota_exceeded', { values: { what: 'workflows', limit } });
}
