import type { Db } from '#app/contracts/db.ts';
import { AppError } from '#app/domain/errors.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';
import { diffWorkflows, type WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';

export type VersionDetail = {
  workflow: { id: string; name: string };
  number: number;
  inForce: boolean;
  contentHash: string;
  at: string;
  author: string | null;
  document: WorkflowDocument;
  /** The version it is compared with, and all that it can be compared with; null for the only one. */
  against: number | null;
  others: number[];
  changes: WorkflowChange[];
  /** The steps of the version it is compared with. */
  stepsBefore: Step[];
};

/** A version of a workflow and how it differs from another, the one before unless told otherwise. @throws AppError not_found */
export async function loadVersion(db: Db, workflowId: string, number: number, against: number | null): Promise<VersionDetail> {
  const rows = await db
    .selectFrom('quorate.versions as v')
    .innerJoin('quorate.artifacts as a', 'a.id', 'v.artifact_id')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'v.workspace_id').onRef('m.user_id', '=', 'v.author_id'))
    .where('a.id', '=', workflowId)
    .where('a.kind', '=', 'workflow')
    .where('a.deleted_at', 'is', null)
    .where('v.number', 'is not', null)
    .orderBy('v.number', 'desc')
    .select(['v.id', 'v.number', 'v.content_hash', 'v.created_at', 'm.name as author', 'a.name', 'a.published_version_id'])
    .limit(500)
    .execute();
  const version = rows.find((row) => row.number === number);
  if (version === undefined) throw new AppError('not_found');
  const others = rows.filter((row) => row !== version);
  const compared = others.find((row) => row.number === against) ?? others.find((row) => (row.number ?? 0) < number);
  const documents = await db
    .selectFrom('quorate.versions')
    .where('id', 'in', compared === undefined ? [version.id] : [version.id, compared.id])
    .select(['id', 'document'])
    .execute();
  const documentOf = (id: string) => workflowDocumentSchema.parse(documents.find((row) => row.id === id)?.document);
  const document = documentOf(version.id);
  const before = compared === undefined ? null : documentOf(compared.id);
  return {
    workflow: { id: workflowId, name: version.name },
    number,
    inForce: version.id === version.published_version_id,
    contentHash: version.content_hash,
    at: version.created_at.toISOString(),
    author: version.author,
    document,
    against: compared?.number ?? null,
    others: others.map((row) => row.number ?? 0),
    changes: before === null ? [] : diffWorkflows(before, document),
    stepsBefore: before?.steps ?? [],
  };
}
