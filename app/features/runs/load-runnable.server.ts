import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

export type Runnable = {
  id: string;
  name: string;
  document: WorkflowDocument;
  versionId: string | null;
  revision: number;
  paused: boolean;
};

/**
 * The version that a run of a workflow would use: live, its published version; test, the draft as it stands.
 * @throws AppError not_found, also where a live run is asked for and nothing is published
 */
export async function loadRunnable(db: Db, id: string, mode: 'live' | 'test'): Promise<Runnable> {
  const row = await db
    .selectFrom('quorate.artifacts as a')
    .leftJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .leftJoin('quorate.drafts as d', (join) => join.onRef('d.artifact_id', '=', 'a.id').onRef('d.revision', '=', 'a.draft_revision'))
    .where('a.id', '=', id)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .select(['a.id', 'a.name', 'a.status', 'a.draft_revision', 'v.id as version_id', 'v.document as published', 'd.document as draft'])
    .executeTakeFirst();
  const document = mode === 'live' ? row?.published : row?.draft;
  if (row === undefined || document === null || document === undefined) throw new AppError('not_found');
  return {
    id: row.id,
    name: row.name,
    document: workflowDocumentSchema.parse(document),
    versionId: mode === 'live' ? row.version_id : null,
    revision: row.draft_revision,
    paused: row.status !== 'active',
  };
}
