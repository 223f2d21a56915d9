import { sql } from 'kysely';
import { AppError } from '#app/domain/errors.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';

export type WorkflowDraft = {
  id: string;
  name: string;
  description: string;
  ownerId: string;
  publishedVersionId: string | null;
  revision: number;
  /** Whether an older or a newer saved state exists to go to. */
  canUndo: boolean;
  canRedo: boolean;
  document: WorkflowDocument;
};

/** The draft as it stands. @throws AppError not_found */
export async function loadDraft(db: Db, artifactId: string): Promise<WorkflowDraft> {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.drafts as d', (join) => join.onRef('d.artifact_id', '=', 'a.id').onRef('d.revision', '=', 'a.draft_revision'))
    .where('a.id', '=', artifactId)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .select([
      'a.id',
      'a.name',
      'a.description',
      'a.owner_id',
      'a.published_version_id',
      'd.revision',
      'd.document',
      sql<boolean>`exists (select from quorate.drafts o where o.artifact_id = a.id and o.revision < a.draft_revision)`.as('can_undo'),
      sql<boolean>`exists (select from quorate.drafts o where o.artifact_id = a.id and o.revision > a.draft_revision)`.as('can_redo'),
    ])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('not_found');
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    ownerId: row.owner_id,
    publishedVersionId: row.published_version_id,
    revision: row.revision,
    canUndo: row.can_undo,
    canRedo: row.can_redo,
    document: workflowDocumentSchema.parse(row.document),
  };
}

/**
 * Saves the next state of a draft over the one that the editor had seen. Saving after an undo drops what came later.
 * @throws AppError conflict when somebody saved meanwhile: nothing is overwritten
 */
export async function saveDraft(
  db: Db,
  draft: { artifactId: string; expectedRevision: number; document: WorkflowDocument; authorId: string; now: Date },
): Promise<void> {
  const next = draft.expectedRevision + 1;
  const moved = await db
    .updateTable('quorate.artifacts')
    .set({ draft_revision: next, updated_at: draft.now })
    .where('id', '=', draft.artifactId)
    .where('draft_revision', '=', draft.expectedRevision)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new AppError('conflict');
  await db.deleteFrom('quorate.drafts').where('artifact_id', '=', draft.artifactId).where('revision', '>=', next).execute();
  await db
    .insertInto('quorate.drafts')
    .values((eb) => ({
      workspace_id: eb.selectFrom('quorate.artifacts').select('workspace_id').where('id', '=', draft.artifactId),
      artifact_id: draft.artifactId,
      revision: next,
      document: JSON.stringify(draft.document),
      author_id: draft.authorId,
    }))
    .execute();
}

/** Goes one saved state back or forth. @throws AppError conflict when there is none, or somebody saved meanwhile */
export async function stepDraft(
  db: Db,
  draft: { artifactId: string; expectedRevision: number; direction: 'undo' | 'redo'; now: Date },
): Promise<number> {
  const target = await db
    .selectFrom('quorate.drafts')
    .where('artifact_id', '=', draft.artifactId)
    .where('revision', draft.direction === 'undo' ? '<' : '>', draft.expectedRevision)
    .orderBy('revision', draft.direction === 'undo' ? 'desc' : 'asc')
    .select('revision')
    .executeTakeFirst();
  if (target === undefined) throw new AppError('conflict');
  const moved = await db
    .updateTable('quorate.artifacts')
    .set({ draft_revision: target.revision, updated_at: draft.now })
    .where('id', '=', draft.artifactId)
    .where('draft_revision', '=', draft.expectedRevision)
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n) throw new AppError('conflict');
  return target.revision;
}
