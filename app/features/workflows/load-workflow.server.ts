import { href, redirect } from 'react-router';
import type { Db } from '#app/contracts/db.ts';
import type { RunIdentity } from '#app/contracts/runs.ts';
import type { ArtifactStatus, RunStatus } from '#app/contracts/statuses.ts';
import { AppError } from '#app/domain/errors.ts';
import { readSubject } from '#app/domain/runs/subject/run-subject.ts';
import { type WorkflowDocument, workflowDocumentSchema } from '#app/domain/workflows/workflow.ts';

export type WorkflowDetail = {
  id: string;
  name: string;
  description: string;
  status: ArtifactStatus;
  owner: string | null;
  published: { number: number; contentHash: string; at: string; author: string | null; document: WorkflowDocument } | null;
  versions: { number: number; contentHash: string; at: string; author: string | null }[];
  runs: (RunIdentity & { id: string; status: RunStatus; mode: 'live' | 'test'; initiator: string | null; at: string })[];
};

/** One workflow with its versions and its latest runs. @throws AppError not_found */
export async function loadWorkflow(db: Db, id: string): Promise<WorkflowDetail> {
  const artifact = await db
    .selectFrom('quorate.artifacts as a')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'a.workspace_id').onRef('m.user_id', '=', 'a.owner_id'))
    .where('a.id', '=', id)
    .where('a.kind', 'in', ['workflow', 'gateway'])
    .where('a.deleted_at', 'is', null)
    .select(['a.id', 'a.kind', 'a.name', 'a.description', 'a.status', 'a.published_version_id', 'm.name as owner'])
    .executeTakeFirst();
  if (artifact === undefined) throw new AppError('not_found');
  // Figures and decisions name what a run belongs to without its kind, and lead here.
  if (artifact.kind === 'gateway') throw redirect(href('/dashboard/plugins/gateways/:gateway', { gateway: id }));
  const versions = await db
    .selectFrom('quorate.versions as v')
    .leftJoin('quorate.members as m', (join) => join.onRef('m.workspace_id', '=', 'v.workspace_id').onRef('m.user_id', '=', 'v.author_id'))
    .where('v.artifact_id', '=', id)
    .where('v.number', 'is not', null)
    .orderBy('v.number', 'desc')
    .limit(20)
    .select(['v.id', 'v.number', 'v.content_hash', 'v.created_at', 'v.document', 'm.name as author'])
    .execute();
  const runs = await db
    .selectFrom('quorate.runs as r')
    .leftJoin('quorate.members as m', (join) =>
      join.onRef('m.workspace_id', '=', 'r.workspace_id').onRef('m.user_id', '=', 'r.initiator_id'),
    )
    .where('r.artifact_id', '=', id)
    .orderBy('r.created_at', 'desc')
    .limit(20)
    .select(['r.id', 'r.number', 'r.subject', 'r.status', 'r.mode', 'r.created_at', 'm.name as initiator'])
    .execute();
  const listed = versions.map((row) => ({
    number: row.number ?? 0,
    contentHash: row.content_hash,
    at: row.created_at.toISOString(),
    author: row.author,
  }));
  const current = versions.findIndex((row) => row.id === artifact.published_version_id);
  const published = listed[current];
  return {
    id: artifact.id,
    name: artifact.name,
    description: artifact.description,
    status: artifact.status,
    owner: artifact.owner,
    published: published === undefined ? null : { ...published, document: workflowDocumentSchema.parse(versions[current]?.document) },
    versions: listed,
    runs: runs.map((row) => ({
      id: row.id,
      number: row.number,
      subject: readSubject(row.subject),
      status: row.status,
      mode: row.mode,
      initiator: row.initiator,
      at: row.created_at.toISOString(),
    })),
  };
}
