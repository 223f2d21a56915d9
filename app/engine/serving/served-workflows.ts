import { sql } from 'kysely';
import type { Db } from '#app/contracts/db.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

/** A workflow in force, as programs see it. */
export type ServedWorkflow = {
  id: string;
  name: string;
  description: string;
  versionId: string;
  version: number;
  document: WorkflowDocument;
};

/** As many as `quorate.served_revision` looks at. */
export const MOST_WORKFLOWS = 500;

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

type ServedRow = Awaited<ReturnType<ReturnType<typeof servedWorkflows>['execute']>>[number];
const served = ({ number, ...row }: ServedRow): ServedWorkflow => ({
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

/** The first of them, and their digest as of the same moment: as of one statement. */
export async function readServedWorkflows(db: Db, workspaceId: string): Promise<{ revision: string; workflows: ServedWorkflow[] }> {
  const rows = await db
    .selectFrom(sql<{ revision: string }>`(select quorate.served_revision(${workspaceId}) as revision)`.as('at'))
    .leftJoin(servedWorkflows(db, workspaceId).orderBy('a.id').limit(MOST_WORKFLOWS).as('w'), (join) => join.onTrue())
    .selectAll('w')
    .select('at.revision')
    .orderBy('w.id')
    .execute();
  const workflows = rows.flatMap(({ revision: _, ...row }) => (row.id === null ? [] : [served(row as ServedRow)]));
  return { revision: rows[0]?.revision ?? '', workflows };
}

export async function readServedWorkflow(db: Db, workspaceId: string, id: string): Promise<ServedWorkflow | null> {
  const row = await servedWorkflows(db, workspaceId).where('a.id', '=', id).executeTakeFirst();
  return row === undefined ? null : served(row);
}
