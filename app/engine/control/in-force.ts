import type { Db } from '#app/contracts/db.ts';
import type { ArtifactStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';

type Authored = { kind: 'policy' | 'workflow' | 'agent'; id: string };

/** A policy, workflow or agent as far as it is in force. */
export type InForce = { status: ArtifactStatus; versionId: string | null };

/**
 * Holds a policy, workflow or agent until the transaction ends, and returns its name and what of it is in force.
 * @throws AppError `not_found`
 */
export async function holdInForce(db: Db, { kind, id }: Authored): Promise<{ name: string; before: InForce }> {
  const row = await db
    .selectFrom('quorate.artifacts')
    .select(['name', 'status', 'published_version_id'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return { name: row.name, before: { status: row.status, versionId: row.published_version_id } };
}

/**
 * Writes what of a policy, workflow or agent is in force. The database refuses it (QP005) where another person agrees first.
 * @throws AppError `not_found` when it is gone, or the member may not change it
 */
export async function putInForce(db: Db, { kind, id, state, now }: Authored & { state: InForce; now: Date }): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('quorate.artifacts')
    .set({ status: state.status, published_version_id: state.versionId, updated_at: now })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new AppError('not_found');
}
