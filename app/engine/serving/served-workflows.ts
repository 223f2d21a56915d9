import { inputJsonSchema, type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflow.ts';
import type { Db } from '#app/engine/db.ts';

/** A workflow in force, as programs see it. */
export type ServedWorkflow = {
  id: string;
  name: string;
  description: string;
  versionId: string;
  version: number;
  document: WorkflowDocument;
};

const MOST_WORKFLOWS = 500;

function servedWorkflows(db: Db, workspaceId: string) {
  return db
    .selectFrom('quorate.artifacts as a')
    .innerJoin('quorate.versions as v', 'v.id', 'a.published_version_id')
    .where('a.workspace_id', '=', workspaceId)
    .where('a.kind', '=', 'workflow')
    .where('a.status', '=', 'active')
    .where('a.deleted_at', 'is', null)
    .select(['a.id', 'a.name', 'a.description', 'v.id as versionId', 'v.number', 'v.document']);
}

const served = ({ number, ...row }: Awaited<ReturnType<ReturnType<typeof servedWorkflows>['execute']>>[number]): ServedWorkflow => ({
  ...row,
  version: number ?? 0,
  document: workflowDocumentSchema.parse(row.document),
});

/** Published workflows that are not paused, by id; `after` is the last id of the page before. */
export async function listServedWorkflows(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | null; limit: number } = { after: null, limit: MOST_WORKFLOWS },
): Promise<ServedWorkflow[]> {
  let query = servedWorkflows(db, workspaceId);
  if (after !== null) query = query.where('a.id', '>', after);
  return (await query.orderBy('a.id').limit(limit).execute()).map(served);
}

export async function readServedWorkflow(db: Db, workspaceId: string, id: string): Promise<ServedWorkflow | null> {
  const row = await servedWorkflows(db, workspaceId).where('a.id', '=', id).executeTakeFirst();
  return row === undefined ? null : served(row);
}

/** JSON Schema of what a start takes. */
export const inputSchemaOf = (workflow: ServedWorkflow) => inputJsonSchema(workflow.document.input);
