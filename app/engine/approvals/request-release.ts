import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import type { Explanation } from '#app/contracts/explanation.ts';
import type { ReleaseSubject } from '#app/domain/audit/release-subject.ts';
import { AppError } from '#app/domain/errors.ts';
import type { EventOf } from '#app/engine/commands/command.ts';
import { digestOf } from '#app/engine/runs/steps/digest.ts';

/** How long a release may wait for its decision; then it has to be asked for again. */
export const RELEASE_TIMEOUT_MS = 24 * 3_600_000;

/** Approvers who could decide when this member asks: with none, an administrator lifts the halt alone. */
export async function countOtherApprovers(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select quorate.count_other_approvers() as count`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Asks the approvers to lift the halt as it stands, inside an admin's transaction. The vote that approves lifts it.
 * @throws AppError `conflict` when the workspace is not halted; the database refuses a second question (QP006).
 */
export async function requestRelease(
  db: Db,
  asked: { approvalId: string; workspaceId: string; title: string; reason: string; requester: string; now: Date },
): Promise<EventOf<'approval.requested'>> {
  const halt = await db
    .selectFrom('quorate.workspaces')
    .select(['halted_at', 'halted_by', 'halt_reason'])
    .where('id', '=', asked.workspaceId)
    .executeTakeFirst();
  if (halt?.halted_at == null) throw new AppError('conflict');
  const subject: ReleaseSubject = {
    kind: 'release',
    workspaceId: asked.workspaceId,
    haltedAt: halt.halted_at.toISOString(),
    haltedBy: halt.halted_by,
    haltReason: halt.halt_reason,
    reason: asked.reason,
  };
  const digest = digestOf(subject);
  const why: Explanation = { key: 'releaseRequested', values: { name: asked.requester, reason: asked.reason } };
  const due = new Date(asked.now.getTime() + RELEASE_TIMEOUT_MS);
  await sql`select quorate.request_release(${asked.approvalId}, ${asked.title}, ${JSON.stringify(subject)}::json, ${digest}, ${JSON.stringify(why)}::jsonb, ${due})`.execute(
    db,
  );
  return {
    action: 'approval.requested',
    resource: { kind: 'approval', id: asked.approvalId, name: asked.title },
    payload: { subject: 'release', haltedAt: subject.haltedAt, digest, reason: asked.reason },
  };
}
